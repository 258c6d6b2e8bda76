import type { Queryable } from './database/database.ts';
import { migrations } from './migrations.ts';
import { answer, readAnswers } from './sql/answer.ts';

/** The number of the last migration that ran in this schema; 0 when there is none. */
export async function installedVersion(database: Queryable, schema: string): Promise<number> {
  const tables = await database.query(
    `select ${answer({ exists: 'to_regclass($1::text) is not null' })}`,
    [`${schema}."migrations"`],
  );
  if (!readAnswers<{ exists: boolean }>(tables)[0]?.exists) return 0;
  const last = await database.query(
    `select ${answer({ version: 'coalesce(max(version), 0)' })}
       from ${schema}."migrations"`,
  );
  return readAnswers<{ version: number }>(last)[0]?.version ?? 0;
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
