import { reasonOf } from '../reason-of.ts';
import { postgresChecks, redisChecks } from './checks.ts';
import { type Examination, examined, skipped } from './finding.ts';
import type { PostgresSubject } from './postgres-check.ts';
import type { RedisSubject } from './redis-check.ts';

/** What a check of this name came to. */
export type Examined = Examination & { readonly check: string };

/** Asks every question about a PostgreSQL, one after the other. */
export async function examinePostgres(subject: PostgresSubject): Promise<Examined[]> {
  const [schemaVersion, ...others] = postgresChecks;
  const first = await made(() => schemaVersion.examine(subject));
  // Older or newer tables need not have what is asked about.
  const isCurrent = first.kind === 'examined' && first.findings.length === 0;
  const results: Examined[] = [{ check: schemaVersion.name, ...first }];
  for (const check of others) {
    const examination =
      check.needs === 'tables' && !isCurrent
        ? skipped('needs the tables of this release')
        : await made(() => check.examine(subject));
    results.push({ check: check.name, ...examination });
  }
  return results;
}

/** Asks every question about a Redis. */
export async function examineRedis(subject: RedisSubject): Promise<Examined[]> {
  const results: Examined[] = [];
  for (const check of redisChecks) {
    results.push({ check: check.name, ...(await made(() => check.examine(subject))) });
  }
  return results;
}

/** A question that cannot be asked is a finding, and no reason not to ask the others. */
async function made(examine: () => Promise<Examination>): Promise<Examination> {
  try {
    return await examine();
  } catch (error) {
    return examined('failed', {
      severity: 'error',
      what: `This could not be checked: ${reasonOf(error)}.`,
      why: 'What is not known may be wrong.',
      do: 'Connect as the owner of the tables, and pass --role for the role of the application.',
    });
  }
}
