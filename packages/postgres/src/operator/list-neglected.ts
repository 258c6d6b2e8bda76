import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { clock, clockMs, toMs } from '../sql/clock.ts';
import { state } from '../sql/state.ts';

/** What waits for somebody, and for how long the oldest of it has. */
export interface Neglected {
  /** Leases that ran out and were not swept. */
  readonly staleLeases: { readonly count: number; readonly oldestMs: number };
  /** Records of which nobody knows whether they took effect. */
  readonly unknown: { readonly count: number; readonly oldestMs: number };
}

/** Reads both tables from end to end: for a dashboard, not for a request. */
export async function listNeglected(database: Queryable, schema: string): Promise<Neglected> {
  const isStale = `state = ${state.inProgress} and lease_expires_at <= ${clock}`;
  const isUnknown = `state = ${state.unknown}`;
  const age = (column: string, condition: string) =>
    `greatest(0, ${clockMs} - (${toMs(`min(${column}) filter (where ${condition})`)}))`;
  const rows = await database.query(
    `select ${answer({
      stale: `count(*) filter (where ${isStale})`,
      stale_ms: age('lease_expires_at', isStale),
      unknown: `count(*) filter (where ${isUnknown})`,
      unknown_ms: age('unknown_since', isUnknown),
    })}
       from (select state, lease_expires_at, unknown_since from ${schema}."records"
              union all
             select state, lease_expires_at, unknown_since
               from ${schema}."opaque_records") as both_tables`,
  );
  const [row] = readAnswers<NeglectedRow>(rows);
  if (!row) throw new Error('PostgreSQL answered a count with no row at all');
  return {
    staleLeases: { count: row.stale, oldestMs: row.stale_ms },
    unknown: { count: row.unknown, oldestMs: row.unknown_ms },
  };
}

interface NeglectedRow {
  readonly stale: number;
  readonly stale_ms: number;
  readonly unknown: number;
  readonly unknown_ms: number;
}
