import type pg from 'pg';
import type { PgClient, PgPool, PgResult } from '../src/database/pg-pool.ts';

export interface Interceptor {
  /** Runs instead of a statement of a transaction; `send` passes it on. */
  inTransaction?(statement: Statement): Promise<PgResult>;
  /** Runs instead of a statement that commits by itself. */
  alone?(statement: Statement): Promise<PgResult>;
  /** Runs before a connection is taken from the pool. */
  connecting?(): void;
  /** How each connection went back. */
  released?(destroy: Error | boolean | undefined): void;
}

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
  readonly send: () => Promise<PgResult>;
  /** The connection, for a statement of a transaction. */
  readonly client?: pg.PoolClient;
}

/** A pool whose statements a test can delay, lose, or let something happen between. */
export function interceptedPool(pool: pg.Pool, interceptor: Interceptor): PgPool {
  return {
    query: (statement) => {
      const { text, values = [] } = statement;
      const send = () => pool.query(statement);
      return interceptor.alone?.({ text, values, send }) ?? send();
    },
    async connect(): Promise<PgClient> {
      interceptor.connecting?.();
      const client = await pool.connect();
      return {
        query: (statement) => {
          const { text, values = [] } = statement;
          const send = () => client.query(statement);
          return interceptor.inTransaction?.({ text, values, send, client }) ?? send();
        },
        release(destroy) {
          interceptor.released?.(destroy);
          client.release(destroy);
        },
        on: (event, listener) => client.on(event, listener),
        removeListener: (event, listener) => client.removeListener(event, listener),
      };
    },
  };
}

/** Cuts the connection, as a network does: without a word to the server. */
export function cut(client: pg.PoolClient | undefined): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}
