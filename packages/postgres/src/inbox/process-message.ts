import { randomUUID } from 'node:crypto';
import {
  commit,
  type Database,
  type Ending,
  type OpenTransaction,
  rollBack,
} from '../database/database.ts';
import { hasSqlState, IN_FAILED_SQL_TRANSACTION } from '../database/sql-state.ts';
import { endedTransaction, swallowedFailure } from '../handler-mistakes.ts';
import { jsonText } from '../outbox/json-text.ts';
import { wasEnded } from '../outbox/sql/own-transaction.ts';
import type { MessageAddress, MessageName } from './message-address.ts';
import { deliveryFate } from './delivery-fate.ts';
import { findMessage } from './sql/find-message.ts';
import { insertMessage } from './sql/insert-message.ts';
import { tryLockMessage, waitForMessage } from './sql/lock-message.ts';

/** What came of one delivery. */
export type Delivery<T> =
  | { readonly kind: 'processed'; readonly value: T }
  /** `value` is what the first delivery returned, if JSON could keep it as it was. */
  | { readonly kind: 'duplicate'; readonly value: T | undefined }
  /** Another delivery is being processed. Ask the source to come again: with 409 or 503, or a nack. */
  | { readonly kind: 'in-progress' };

/** What the work of a message gets. */
export interface WorkContext<Transaction> {
  /** Its COMMIT also remembers the message. It is not yours to commit. */
  readonly tx: Transaction;
}

export interface Processing<Transaction, T> {
  readonly address: MessageAddress;
  readonly message: MessageName;
  readonly work: (context: WorkContext<Transaction>) => T | Promise<T>;
  readonly waitMs: number;
  readonly maxAnswerBytes: number;
}

/**
 * Runs the work in a transaction that also remembers the message.
 *
 *   begin ▶ advisory lock ▶ look up ▶ work ▶ insert the message ▶ commit
 *
 * As for atomic mutations: the lock belongs to the transaction, so another delivery is told at once,
 * waits for no index, and the death of the process undoes everything. That the work happens once
 * does not rest on it: whoever cannot insert the message rolls back.
 */
export async function processMessage<Transaction, T>(
  database: Database<Transaction>,
  processing: Processing<Transaction, T>,
): Promise<Delivery<T>> {
  const token = randomUUID();
  const { kind, value, cause } = await database.transaction((open) =>
    deliver(open, processing, token),
  );
  if (value.kind === 'superseded') return answerOf(database, processing);
  if (kind === 'as-asked' || value.kind !== 'processed') return value;
  await deliveryFate(database, processing.address, { token, cause });
  return value;
}

/** `superseded`: another delivery has inserted the message meanwhile. */
type DeliveryEnd<T> = Delivery<T> | { readonly kind: 'superseded' };

async function deliver<Transaction, T>(
  open: OpenTransaction<Transaction>,
  processing: Processing<Transaction, T>,
  token: string,
): Promise<Ending<DeliveryEnd<T>>> {
  const { address, waitMs, work } = processing;
  const locked =
    waitMs > 0
      ? await waitForMessage(open, address, { token, waitMs })
      : await tryLockMessage(open, address, token);
  if (locked === 'locked-by-other') return rollBack({ kind: 'in-progress' });

  // A statement of its own: one that also took the lock might not see what was committed meanwhile.
  const found = await findMessage(open, address);
  if (found) return rollBack({ kind: 'duplicate', value: found.value as T | undefined });

  const value = await work({ tx: open.handle });
  const answer = keepable(value, processing.maxAnswerBytes);
  try {
    const inserted = await insertMessage(open, address, {
      ...processing.message,
      token,
      answer,
    });
    if (inserted === 'inserted') return commit({ kind: 'processed', value });
    if (await wasEnded(open, token)) throw endedTransaction();
    return rollBack({ kind: 'superseded' });
  } catch (error) {
    throw hasSqlState(error, IN_FAILED_SQL_TRANSACTION) ? swallowedFailure(error) : error;
  }
}

async function answerOf<T>(
  database: Database<unknown>,
  { address }: Pick<Processing<unknown, T>, 'address'>,
): Promise<Delivery<T>> {
  const found = await findMessage(database, address);
  return found
    ? { kind: 'duplicate', value: found.value as T | undefined }
    : { kind: 'in-progress' };
}

/** `undefined` when a duplicate would not get back what the first delivery got. */
function keepable(value: unknown, maxBytes: number): string | undefined {
  const json = jsonText(value);
  return json.kind === 'json' && Buffer.byteLength(json.text) <= maxBytes ? json.text : undefined;
}
