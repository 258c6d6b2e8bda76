import type pg from 'pg';

/**
 * How many times something waits for the server: how often anything at all is sent to it, once it
 * has answered what was sent before. Counted where bytes leave, so that nothing is missed.
 */
export async function countTrips(pool: pg.Pool, run: () => Promise<unknown>): Promise<number> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  let trips = 0;
  const undo = clients.map((client) => {
    const { stream } = (client as unknown as { connection: { stream: NodeJS.WritableStream } })
      .connection;
    let answered = true;
    const { write } = stream;
    const onData = () => {
      answered = true;
    };
    stream.on('data', onData);
    stream.write = ((...sent: Parameters<typeof write>) => {
      if (answered) trips++;
      answered = false;
      return write.apply(stream, sent);
    }) as typeof write;
    return () => {
      stream.write = write;
      stream.removeListener('data', onData);
    };
  });
  for (const client of clients) client.release();
  try {
    await run();
    return trips;
  } finally {
    for (const each of undo) each();
  }
}
