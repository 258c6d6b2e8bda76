import type { PostgresDriver } from '../../database/driver.ts';
import type { PgPool } from '../../database/pg-pool.ts';

/** A way to hear of NOTIFY. */
export interface Listener {
  /** Resolves when it listens, with what ends that. `lost` is called once, if it ends by itself. */
  listen(channel: string, ears: Ears): Promise<() => Promise<void>>;
}

export interface Ears {
  notice(): void;
  lost(cause: unknown): void;
}

/** By the shape of the driver; `undefined` where nobody can listen, and looking has to do. */
export function listenerOf(driver: PostgresDriver): Listener | undefined {
  const { connect, listen } = driver as Partial<PgPool> & Partial<Hearing>;
  if (typeof listen === 'function') return pgliteListener(driver as unknown as Hearing);
  // Of a pool of one, nothing would be left to work with.
  if (typeof connect !== 'function' || maxConnectionsOf(driver) === 1) return undefined;
  return poolListener(driver as unknown as ListeningPool);
}

/** How many connections a pool of `pg` may open; `undefined` when it does not say. */
export function maxConnectionsOf(driver: PostgresDriver): number | undefined {
  const { options } = driver as { options?: { max?: unknown } };
  return typeof options?.max === 'number' ? options.max : undefined;
}

/** On a connection of its own, for as long as it listens. */
function poolListener(pool: ListeningPool): Listener {
  return {
    async listen(channel, ears) {
      const client = await pool.connect();
      let over = false;
      const end = (cause?: Error) => {
        if (over) return;
        over = true;
        // Destroyed rather than given back: it would hear of jobs for ever. What a broken one has
        // to say after this is no news, but an `error` that nobody hears ends the process.
        client.on('error', () => undefined);
        client.release(cause ?? true);
        if (cause) ears.lost(cause);
      };
      client.on('error', end);
      client.on('end', () => end(new Error('The connection that listens has ended')));
      client.on('notification', () => ears.notice());
      try {
        await client.query(`listen ${channel}`);
      } catch (error) {
        end();
        throw error;
      }
      return async () => end();
    },
  };
}

function pgliteListener(pglite: Hearing): Listener {
  return { listen: (channel, ears) => pglite.listen(channel, () => ears.notice()) };
}

/** What PGlite has, and a pool has not. */
interface Hearing {
  listen(channel: string, callback: () => void): Promise<() => Promise<void>>;
}

interface ListeningPool {
  connect(): Promise<ListeningClient>;
}

interface ListeningClient {
  query(text: string): Promise<unknown>;
  on(event: 'notification' | 'error' | 'end', listener: (error: Error) => void): unknown;
  release(destroy: Error | boolean): void;
}
