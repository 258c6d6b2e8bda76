import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/**
 * Whether a pooler hands each transaction to another backend.
 *
 * A second session begins a transaction while the first one is idle: behind such a pooler it gets
 * the backend that the first one had, and the first one then gets another.
 */
export const transactionPooling: PostgresCheck = {
  name: 'transaction-pooling',
  needs: 'connection',
  async examine({ database: { pool } }) {
    const pidOf = async (client: { query(text: string): Promise<{ rows: unknown[] }> }) =>
      ((await client.query('select pg_backend_pid() as pid')).rows[0] as { pid: number }).pid;
    const first = await pool.connect();
    const second = await pool.connect();
    try {
      const before = await pidOf(first);
      await second.query('begin');
      await pidOf(second);
      const after = await pidOf(first);
      await second.query('rollback');
      if (before === after) return examined('sessions keep their backend');
    } finally {
      first.release();
      second.release();
    }
    return examined('another backend for each transaction', {
      severity: 'warning',
      what: 'A pooler in transaction mode is in between.',
      why: 'Prepared statements are those of another session unless the pooler keeps track of them, and LISTEN, which wakes relays, is lost.',
      do: 'Pass `preparedStatements: false`, or use PgBouncer 1.21 or later with max_prepared_statements; give relays a direct URL.',
    });
  },
};
