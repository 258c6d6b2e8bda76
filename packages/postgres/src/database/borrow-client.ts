import type { PgClient } from './pg-pool.ts';

/**
 * Takes a connection out of a pool of `pg`, and hears its errors from the first moment on.
 *
 * A connection on loan that breaks says so by an event, and an event `error` that nobody hears ends
 * the process. The server may end a connection in the very packet by which it became free: by the
 * time that a promise of it resolves, the event is over. So the pool is asked to call back, which it
 * does at once. A pool that only knows promises takes no notice.
 */
export function borrowClient<Client extends Pick<PgClient, 'on'>>(
  pool: LendingPool<Client>,
): Promise<Client> {
  return new Promise((resolve, reject) => {
    let isLent = false;
    const lend = (client: Client) => {
      if (isLent) return;
      isLent = true;
      client.on?.('error', ignore);
      resolve(client);
    };
    const { connect } = pool as { connect: CallingBack<Client> };
    const promised = connect.call(pool, (error, client) => {
      if (client) lend(client);
      else reject(error);
    });
    promised?.then(lend, reject);
  });
}

/** Gives it back; with an error, the pool destroys it. */
export function giveBack(client: PgClient, broken?: Error): void {
  client.removeListener?.('error', ignore);
  client.release(broken);
}

interface LendingPool<Client> {
  connect(): Promise<Client>;
}

type CallingBack<Client> = (
  callback: (error: Error, client: Client | undefined) => void,
) => Promise<Client> | undefined;

function ignore(): void {}
