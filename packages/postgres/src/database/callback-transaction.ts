import type { Ended, Ending, Queryable, RunTransaction, Statement } from './database.ts';
import type { Loan } from './lend.ts';

/** A library that begins, runs a callback, and commits by itself when that is done. */
export interface CallbackLibrary<Transaction> {
  begin(callback: (transaction: Transaction) => Promise<void>): PromiseLike<unknown>;
  /** Asks for READ COMMITTED, where `begin` does not. */
  readonly isolation?: Statement;
  /** Whether it sends a statement without waiting for the one before, and keeps their order. */
  readonly pipelines?: boolean;
  queryIn(transaction: Transaction): Queryable['query'];
  lend(transaction: Transaction): Loan<Transaction>;
}

/**
 * Runs a transaction whose COMMIT the library hides.
 *
 *   begin ▶ opening ▶ run ▶ closing ▶ callback done ▶ commit
 *
 * Whatever the library rejects with, how far the callback got says what it means. That it resolves
 * says less than it seems: PostgreSQL answers COMMIT with ROLLBACK where a statement has failed, one
 * that nobody waited for, perhaps, and none of these libraries looks. So it is over, and in doubt.
 */
export async function callbackTransaction<Transaction, Value>(
  library: CallbackLibrary<Transaction>,
  run: RunTransaction<Transaction, Value>,
  opening: readonly Statement[] = [],
): Promise<Ended<Value>> {
  let progress = { kind: 'begun' } as Progress<Value>;
  let settled = false;
  let takeBack = () => {};
  const abandoned = deferred();

  const callback = async (transaction: Transaction): Promise<void> => {
    const loan = library.lend(transaction);
    takeBack = loan.takeBack;
    const query = library.queryIn(transaction);
    const ran = await progressOf(async () => {
      const opened = await sendOpening(library, query, opening);
      return run({ handle: loan.handle, query, opened });
    });
    loan.takeBack();
    // The connection may be gone, and its place taken: what is sent now could meet a stranger.
    progress = ran.kind === 'closing' && !settled ? await close(query, ran) : ran;
    if (progress.kind === 'closed' && !settled) return;
    if (progress.kind === 'ended' && progress.ending.end === 'abandon') abandoned.resolve();
    // Whoever watches the connection says first that it is gone, and only then ends the callback.
    await new Promise(setImmediate);
    // Once it is, postgres.js must not be asked to roll back: it would end the process, or roll back
    // the next transaction on that connection.
    if (settled) return new Promise(() => {});
    throw new RolledBack();
  };

  const ended = settle(library, callback).then((result) => {
    settled = true;
    takeBack();
    return result;
  });
  const result = await Promise.race([ended, abandoned.promise]);
  return interpret(progress, result);
}

/** How far a callback got. */
type Progress<Value> =
  | { readonly kind: 'begun' }
  /** The opening or `run` failed. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** It is not to be committed. */
  | { readonly kind: 'ended'; readonly ending: Ending<Value> }
  | { readonly kind: 'closing'; readonly ending: Ending<Value> }
  | { readonly kind: 'refused'; readonly ending: Ending<Value>; readonly error: unknown }
  /** Nothing is left but COMMIT. */
  | { readonly kind: 'closed'; readonly ending: Ending<Value> };

async function progressOf<Value>(run: () => Promise<Ending<Value>>): Promise<Progress<Value>> {
  try {
    const ending = await run();
    return { kind: ending.end === 'commit' ? 'closing' : 'ended', ending };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

async function sendOpening<Transaction>(
  { isolation, pipelines = false }: CallbackLibrary<Transaction>,
  query: Queryable['query'],
  opening: readonly Statement[],
): Promise<unknown[][]> {
  const statements = isolation ? [isolation, ...opening] : opening;
  const send = ({ text, values }: Statement) => query(text, values);
  const answers = pipelines ? await Promise.all(statements.map(send)) : [];
  if (!pipelines) for (const statement of statements) answers.push(await send(statement));
  return isolation ? answers.slice(1) : answers;
}

async function close<Value>(
  query: Queryable['query'],
  { ending }: { ending: Ending<Value> },
): Promise<Progress<Value>> {
  try {
    for (const { text, values } of ending.closing ?? []) await query(text, values);
    return { kind: 'closed', ending };
  } catch (error) {
    return { kind: 'refused', ending, error };
  }
}

type Settled = { readonly cause?: unknown } | undefined;

async function settle<Transaction>(
  library: CallbackLibrary<Transaction>,
  callback: (transaction: Transaction) => Promise<void>,
): Promise<Settled> {
  try {
    await library.begin(callback);
    return undefined;
  } catch (cause) {
    return { cause };
  }
}

function interpret<Value>(progress: Progress<Value>, rejected: Settled): Ended<Value> {
  switch (progress.kind) {
    case 'begun':
    case 'closing':
      if (rejected) throw rejected.cause;
      throw new Error('The library ended a transaction without running it');
    case 'failed':
      // Its own words: a library whose rollback fails as well rejects with that.
      throw progress.error;
    case 'ended':
      return { kind: 'as-asked', value: progress.ending.value };
    case 'refused':
      return { kind: 'refused', value: progress.ending.value, cause: progress.error };
    case 'closed':
      return rejected
        ? { kind: 'in-doubt', value: progress.ending.value, cause: rejected.cause }
        : { kind: 'in-doubt', value: progress.ending.value, over: true };
  }
}

/** What a callback is ended with to be rolled back. Nobody outside of this file sees it. */
class RolledBack extends Error {
  override readonly message = 'The transaction is rolled back';
}

function deferred() {
  let resolve!: (value: undefined) => void;
  const promise = new Promise<undefined>((fulfil) => (resolve = fulfil));
  return { promise, resolve: () => resolve(undefined) };
}
