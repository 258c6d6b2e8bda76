import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../services/free-port.ts';
import { bundleProgram, killNow, type Program, said } from '../../support/node-process.ts';
import { openPostgres } from '../../support/open-postgres.ts';
import { httpClient, httpLinks, openSocketClient } from './clients.ts';
import type { PaymentsOrder } from './payments-process.ts';

let server: Program;
beforeAll(async () => {
  server = await bundleProgram('test/e2e/trpc/payments-process.ts');
});
afterAll(() => server[Symbol.dispose]());

/** The server is away for a while: what ends a delivery is its deadline. */
const patient = { maxAttempts: Infinity, baseDelayMs: 50, random: () => 0.5 };

describe.for(['in the handler', 'after the commit'] as const)('killed -9 %s', (hangAt) => {
  test.for(Object.entries(httpLinks))('through %s, it happens once', async ([, link]) => {
    await using database = await openPostgres();
    const port = await freePort();
    const client = httpClient(link(`http://127.0.0.1:${port}`), patient);

    const { url, schema } = database;
    await payThroughCrash(client, { url, schema, transport: 'http', port, hangAt });
    expect(await database.effects('pay 9')).toBe(1);
  });

  test('over a WebSocket, it happens once', async () => {
    await using database = await openPostgres();
    const port = await freePort();
    using socket = openSocketClient(`ws://127.0.0.1:${port}`, patient);

    const { url, schema } = database;
    await payThroughCrash(socket.client, { url, schema, transport: 'sockets', port, hangAt });
    expect(await database.effects('pay 9')).toBe(1);
  });
});

/** Kills the server while it pays, and starts it again at the same address. */
async function payThroughCrash(
  client: ReturnType<typeof httpClient>,
  order: PaymentsOrder,
): Promise<void> {
  const first = server.start(order);
  await said(first, 'serving');
  const hanging = said(first, 'hanging');
  const paying = client.pay.mutate({ amountCents: 9 });
  await hanging;
  await killNow(first);
  const second = server.start({ ...order, hangAt: 'nowhere' } satisfies PaymentsOrder);
  expect(await paying).toMatchObject({ amountCents: 9 });
  await killNow(second);
}
