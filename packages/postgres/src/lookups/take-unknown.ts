import { randomUUID } from 'node:crypto';
import { type IdempotencyKey, keyTimestamp } from '@onceward/core';
import type { TakeUnknownRequest, UnknownRecord } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { clock, duration, inMs, toMs } from '../sql/clock.ts';

/**
 * Takes look-ups that are due, each for one caller.
 *
 * When it is due next is also when the caller's time is over: should it die, somebody else takes the
 * look-up then. What somebody is just taking is not waited for.
 */
export async function takeUnknown(
  database: Queryable,
  schema: string,
  { limit, leaseMs, operations }: TakeUnknownRequest,
): Promise<readonly UnknownRecord[]> {
  const table = `${schema}."lookups"`;
  const token = randomUUID();
  const taken = answer({
    ...{ scope: 'scope', key: 'key', opaque: 'opaque', operation: 'operation' },
    ...{ attempt: 'attempt', unknownSince: toMs('unknown_since'), look: 'looks' },
  });
  const rows = await database.query(
    `with due as materialized (
       select record_id, due_at
         from ${table}
        where due_at <= ${clock}
          and dead_at is null
          and operation = any($1::text[])
        order by due_at
        limit $2::int4
          for update skip locked
     ), taken as (
       update ${table} as held
          set looks  = looks + 1,
              token  = $3::uuid,
              due_at = ${inMs('$4')}
         from due
        where held.record_id = due.record_id
    returning held.*, due.due_at as due_since
     )
     select ${taken}
       from taken
      order by due_since`,
    [operations, limit, token, duration(leaseMs)],
  );
  return readAnswers<TakenRow>(rows).map(({ opaque, ...record }) => ({
    ...record,
    keyTimestampMs: opaque ? null : keyTimestamp(record.key),
    token,
  }));
}

interface TakenRow extends Omit<UnknownRecord, 'keyTimestampMs' | 'token'> {
  readonly key: IdempotencyKey;
  readonly opaque: boolean;
}
