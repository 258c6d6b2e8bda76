import type {
  AtomicDecision,
  AtomicResult,
  Completion,
  ReserveRequest,
} from '@onceward/core/store';
import { commitFate } from './commit-fate.ts';
import {
  abandon,
  commit,
  type Database,
  type Ending,
  type OpenTransaction,
  rollBack,
} from './database/database.ts';
import { isObjection } from './database/sql-state.ts';
import { judge, type Verdict } from './judge.ts';
import { peek } from './peek.ts';
import { lockOf, type RecordAddress } from './record-address.ts';
import { refusalOf } from './refusal.ts';
import { completeVacant } from './sql/complete-vacant.ts';
import { insertCompleted } from './sql/insert-completed.ts';
import { isLocked, tryLock } from './sql/lock.ts';
import { lookUpStatement, readSighting } from './sql/look-up.ts';
import { markOrphan } from './sql/mark-orphan.ts';

/** One atomic execution: the record, the question, and the handler. */
export interface AtomicIntent<Transaction> {
  readonly address: RecordAddress;
  readonly request: ReserveRequest;
  readonly execute: (transaction: Transaction, attempt: number) => Promise<AtomicDecision>;
}

/**
 * Runs the handler in a transaction that also completes the record.
 *
 *   begin, advisory lock, look up ▶ handler ▶ insert the completed record, commit
 *
 * What is between two arrows travels together, where the driver can.
 *
 * There is no lease. The lock belongs to the transaction: a duplicate is told at once that it is in
 * progress, and the death of the process undoes everything at once. That an effect exists once does
 * not rest on the lock: the record is completed by one guarded statement, and whoever finds it taken
 * rolls back.
 */
export async function transact<Transaction>(
  database: Database<Transaction>,
  intent: AtomicIntent<Transaction>,
): Promise<AtomicResult> {
  const { address, request } = intent;
  const ended = await database.transaction(
    (open) => attempt(open, intent),
    [tryLock(lockOf(address), request.token), lookUpStatement(address, request)],
  );
  const { kind, value, cause, over = false } = ended;
  if (kind === 'refused') {
    const refusal = refusalOf(cause);
    return refusal.kind === 'superseded'
      ? answerNow(database, intent)
      : { kind: 'rolled-back', cause: refusal.cause };
  }
  if (kind === 'in-doubt' && value.kind === 'committed') {
    const fate = await commitFate(database, { address, request, over });
    return fate.kind === 'rolled-back' && isObjection(cause) ? { ...fate, cause } : fate;
  }

  switch (value.kind) {
    case 'superseded':
      return answerNow(database, intent);
    case 'discarded':
      return storeFailure(database, intent, value.completion);
    default:
      return value;
  }
}

type AttemptEnd =
  | AtomicResult
  /** Another attempt took the record meanwhile. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'discarded'; readonly completion: Completion };

async function attempt<Transaction>(
  open: OpenTransaction<Transaction>,
  intent: AtomicIntent<Transaction>,
): Promise<Ending<AttemptEnd>> {
  const { address, request } = intent;
  const [locked, sighted] = open.opened;
  const verdict = judge(readSighting(sighted), request);
  if (!isLocked(locked) && mayChange.has(verdict.kind)) {
    return rollBack({ kind: 'in-progress', retryAfterMs: RETRY_AFTER_TRANSACTION_MS });
  }
  switch (verdict.kind) {
    case 'absent':
    case 'vacant':
      return execute(open, intent, verdict);
    case 'orphaned': {
      const marked = await markOrphan(open, address, verdict.from);
      return marked === 'unknown' ? commit({ kind: 'unknown' }) : rollBack({ kind: 'superseded' });
    }
    case 'held-by-caller':
      // By a lease that was taken with `reserve`: the same attempt cannot run in two ways.
      return rollBack({ kind: 'in-progress', retryAfterMs: verdict.retryAfterMs });
    default:
      return rollBack(verdict);
  }
}

async function execute<Transaction>(
  open: OpenTransaction<Transaction>,
  { address, request, execute: run }: AtomicIntent<Transaction>,
  found: Extract<Verdict, { kind: 'absent' | 'vacant' }>,
): Promise<Ending<AttemptEnd>> {
  const decision = await run(open.handle, found.kind === 'absent' ? 1 : found.attempt + 1);
  if (decision.kind === 'roll-back') return rollBack({ kind: 'rolled-back' });
  if (decision.kind === 'abandon') return abandon({ kind: 'rolled-back' });

  const { completion } = decision;
  if (decision.kind === 'discard') return rollBack({ kind: 'discarded', completion });

  const closing =
    found.kind === 'absent'
      ? insertCompleted(address, { request, completion })
      : completeVacant(address, { request, completion, from: found.from });
  return commit({ kind: 'committed' }, [closing]);
}

/**
 * Stores a failure whose effects were rolled back: an attempt with nothing left to execute.
 *
 * A transaction of its own, because the effects went with the first one. Should another attempt
 * have come between the two, its answer counts.
 */
function storeFailure<Transaction>(
  database: Database<Transaction>,
  { address, request }: AtomicIntent<Transaction>,
  completion: Completion,
): Promise<AtomicResult> {
  const execute = async () => ({ kind: 'commit', completion }) as const;
  return transact(database, { address, request, execute });
}

/** The answer of whoever superseded us; should it be gone again, we only know that we are not it. */
async function answerNow<Transaction>(
  database: Database<Transaction>,
  { address, request }: AtomicIntent<Transaction>,
): Promise<AtomicResult> {
  const answer = await peek(database, address, request);
  return answer.kind === 'free' ? { kind: 'rolled-back' } : answer;
}

/** What the holder of the lock may be about to change. Any other answer is the same without it. */
const mayChange: ReadonlySet<Verdict['kind']> = new Set([
  'absent',
  'expired',
  'vacant',
  'orphaned',
]);

/** Nobody knows how long a transaction will take; most are over by then. */
const RETRY_AFTER_TRANSACTION_MS = 1_000;
