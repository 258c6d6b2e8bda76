import type { Settlement } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { audited, auditValues } from './audited.ts';
import { clockMs, toMs } from './clock.ts';
import { state } from './state.ts';

/**
 * Frees an unknown record on evidence, once its last holder can no longer act.
 *
 * Evidence of absence that is read too early proves nothing: the effect may be on its way.
 */
export async function settleNotExecuted(
  database: Queryable,
  address: RecordAddress,
  { quietMs, attempt, audit }: Extract<Settlement, { kind: 'not-executed' }>,
): Promise<'settled' | 'not-unknown' | 'too-soon'> {
  const freed = await database.query(
    audited(
      address,
      `update only ${address.table}
          set state = ${state.released}
        where id = $1::uuid
          and state = ${state.unknown}
          and attempt = coalesce($6::int4, attempt)
          and ${toMs('unknown_since')} + $5::float8 <= ${clockMs}`,
    ),
    [...auditValues(address, 'settle: not-executed', audit), quietMs, attempt ?? null],
  );
  if (freed.length === 1) return 'settled';

  const unknown = await database.query(
    `select 1
       from ${address.family}
      where id = $1::uuid
        and state = ${state.unknown}
        and attempt = coalesce($2::int4, attempt)`,
    [address.id, attempt ?? null],
  );
  return unknown.length === 1 ? 'too-soon' : 'not-unknown';
}
