import { borrowClient } from '../../database/borrow-client.ts';
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
  if (typeof listen === 'function') return ownListener(driver as unknown as Hearing);
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
      const client = await borrowClient(pool);
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

/** PGlite has no connection to lose, and postgres.js opens another by itself. */
function ownListener(driver: Hearing): Listener {
  return {
    async listen(channel, ears) {
      const heard = () => ears.notice();
      // To PGlite, the third would be another thing. postgres.js is a function.
      const alsoWhenItBegins = typeof driver === 'function' ? [heard] : [];
      const listening = await driver.listen(channel, heard, ...alsoWhenItBegins);
      return typeof listening === 'function' ? listening : () => listening.unlisten();
    },
  };
}

/** What PGlite and postgres.js have, and a pool has not. */
interface Hearing {
  /** The third one is called by postgres.js whenever it has begun to listen, also again. */
  listen(
    channel: string,
    callback: () => void,
    onListen?: () => void,
  ): Promise<(() => Promise<void>) | { unlisten(): Promise<void> }>;
}

interface ListeningPool {
  connect(): Promise<ListeningClient>;
}

interface ListeningClient {
  query(text: string): Promise<unknown>;
  on(event: 'notification' | 'error' | 'end', listener: (error: Error) => void): unknown;
  release(destroy: Error | boolean): void;
}
