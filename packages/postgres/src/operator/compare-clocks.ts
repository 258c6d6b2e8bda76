import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { clockMs } from '../sql/clock.ts';

/** The database's clock beside ours. */
export interface ClockReport {
  /** By the database, which decides about every lease and every retention. */
  readonly databaseNow: number;
  /** How far the database's clock is ahead of ours; negative when it is behind. */
  readonly aheadMs: number;
  /** By how much that may be wrong: half the time the question took. */
  readonly uncertaintyMs: number;
}

export async function compareClocks(
  database: Queryable,
  now: () => number = Date.now,
): Promise<ClockReport> {
  const asked = now();
  const rows = await database.query(`select ${answer({ now: clockMs })}`);
  const answered = now();
  const [row] = readAnswers<{ now: number }>(rows);
  if (!row) throw new Error('PostgreSQL answered with no time at all');
  const uncertaintyMs = (answered - asked) / 2;
  return { databaseNow: row.now, aheadMs: row.now - asked - uncertaintyMs, uncertaintyMs };
}
