import type pg from 'pg';

/**
 * Says for as long as the connection lasts that somebody looks after this PostgreSQL.
 *
 * A process id in a file would do, if ids were not given to others later.
 */
export async function lookAfter(client: pg.Client): Promise<'looking-after' | 'taken'> {
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_lock(hashtext('onceward playground')) as free`,
  );
  return rows[0]?.free ? 'looking-after' : 'taken';
}
