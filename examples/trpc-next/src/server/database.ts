import pg from 'pg';

/** One for the process: route handlers have no other place to keep it. */
export const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
// A connection that is cut while idle is no news: the pool opens another.
pool.on('error', () => undefined);
