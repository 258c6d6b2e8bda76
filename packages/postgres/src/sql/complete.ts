import type { Completion, Lease } from '@onceward/core/store';
import type { Queryable, Statement } from '../database/database.ts';
import type { RecordAddress, TableAddress } from '../record-address.ts';
import { duration, inMs } from './clock.ts';
import { arraysOf, type GivenColumns } from './given.ts';
import { isCompletedBy } from './is-completed-by.ts';
import { storedOutcome } from './outcome-code.ts';
import { perTable } from './per-table.ts';
import { state } from './state.ts';
import { whoseLease } from './whose-lease.ts';

export interface Completing {
  readonly lease: Lease;
  readonly completion: Completion;
}

/**
 * Stores the outcome, if the holder was not superseded; its lease may have run out.
 *
 * A holder that never got the answer may ask again: the first outcome stays.
 */
export async function complete(
  database: Queryable,
  address: RecordAddress,
  completing: Completing,
): Promise<'completed' | 'lease-lost'> {
  const { text, values } = completeStatement(address, completing);
  if ((await database.query(text, values)).length === 1) return 'completed';
  const { token } = completing.lease;
  return (await isCompletedBy(database, address, token)) ? 'completed' : 'lease-lost';
}

/** Answers with a row if it has stored the outcome. */
export function completeStatement(address: RecordAddress, completing: Completing): Statement {
  return { text: completeOneText(address), values: completeValues(address, completing) };
}

/**
 * The same for many records of one table: answers with {@link whoseLease} it has completed.
 *
 * No join with what is given, which could be planned as a scan of the table: the one way to
 * `id = any(…)` is the index, as long as scans are switched off.
 */
export function completeMany(
  table: TableAddress,
  items: readonly { readonly address: RecordAddress; readonly completing: Completing }[],
): Statement {
  const rows = items.map(({ address, completing }) => completeValues(address, completing));
  return { text: completeManyText(table), values: arraysOf(givenCompletion, rows) };
}

const completeOneText = perTable((table) =>
  completeText(table, '= $1::uuid', (parameter, type) => `${parameter}::${type}`),
);

const completeManyText = perTable((table) => {
  // By the token: whoever holds a record may meet in one batch whoever held it before.
  const own = 'array_position($2::uuid[], token)';
  const given = (parameter: string, type: string) => `(${parameter}::${type}[])[${own}]`;
  return completeText(table, '= any($1::uuid[])', given);
});

const givenCompletion: GivenColumns = [
  ['id', 'uuid'],
  ['token', 'uuid'],
  ['outcome', 'int2'],
  ['retention', 'float8'],
  ['body', 'bytea'],
];

function completeText(
  { table }: TableAddress,
  ids: string,
  given: (parameter: string, type: string) => string,
): string {
  return `update only ${table}
        set state             = ${state.completed},
            outcome           = ${given('$3', 'int2')},
            answer_expires_at = ${inMs(given('$4', 'float8'))},
            body              = ${given('$5', 'bytea')}
      where id ${ids}
        and id = ${given('$1', 'uuid')}
        and token = ${given('$2', 'uuid')}
        and state in (${state.inProgress}, ${state.unknown})
  returning ${whoseLease.selected}`;
}

function completeValues(
  { id }: RecordAddress,
  { lease, completion }: Completing,
): readonly unknown[] {
  const { code, body } = storedOutcome(completion);
  return [id, lease.token, code, duration(completion.answerRetentionMs), body];
}
