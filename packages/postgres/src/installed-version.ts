import type { Queryable } from './database/database.ts';
import { migrations } from './migrations.ts';

/** The number of the last migration that ran in this schema; 0 when there is none. */
export async function installedVersion(database: Queryable, schema: string): Promise<number> {
  const [table] = await database.query<{ exists: boolean }>(
    `select to_regclass($1::text) is not null as exists`,
    [`${schema}."migrations"`],
  );
  if (!table?.exists) return 0;
  const [last] = await database.query<{ version: number }>(
    `select coalesce(max(version), 0)::int4 as version
       from ${schema}."migrations"`,
  );
  return last?.version ?? 0;
}

/**
 * Rejects tables that a later release has made.
 *
 * Only for whoever is about to write to them: an older release may not know a column that keeps a
 * promise of the newer one.
 */
export function refuseNewer(installed: number, schema: string): void {
  if (installed <= migrations.length) return;
  throw new Error(
    `The schema ${schema} is at migration ${installed}, and this release of @onceward/postgres ` +
      `knows ${migrations.length}: upgrade the package`,
  );
}
