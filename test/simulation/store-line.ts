import type { Completion, RecordName, RecordSummary } from '@onceward/core/store';
import type { MemoryStore } from '@onceward/server';
import type { Dice } from './dice.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';
import type { LeaseBook } from './lease-book.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { answers, type SeenState, transitions } from './transitions.ts';

export interface StoreLineTools {
  readonly dice: Dice;
  readonly faults: Faults;
  /** Told of every answer that came in time. */
  readonly heard?: (method: string, args: readonly unknown[], answer: unknown) => void;
}

/**
 * The shipped store as one process sees it: over a line that takes time, loses questions, and loses
 * answers to questions that were heeded. What a dead process asked for is never answered.
 */
export function storeLine(
  store: MemoryStore,
  process: SimulatedProcess,
  { dice, faults, heard }: StoreLineTools,
): MemoryStore {
  let callsToFail = 0;
  const over = async (method: Method, property: string, args: unknown[]): Promise<unknown> => {
    const slow = faults.strike('store slow');
    await process.sleep(slow ? dice.between(200, 2_500) : dice.between(0, 3));
    // Also the call that asks again then.
    if (faults.strike('store is away')) callsToFail = dice.between(2, 6);
    const away = !faults.healed && callsToFail-- > 0;
    if (away || faults.strike('store fails before')) throw new Error('the store is down');
    const lost = faults.strike('store fails after');
    const answer = await method(...args);
    const stopped = process.moment();
    await process.sleep(slow ? dice.between(0, 800) : dice.between(0, 2));
    if (lost) throw new Error('the answer of the store is lost');
    if (!slow && !stopped) heard?.(property, args, answer);
    return answer;
  };
  return withMethods(store, (method, property) =>
    property === 'verify' ? method : (...args) => over(method, property, args),
  );
}

/** The shipped store, with somebody who watches what every call does to its record. */
export function watchedStore(
  store: MemoryStore,
  { history, leases, faults }: { history: History; leases: LeaseBook; faults: Faults },
): MemoryStore {
  /** What was stored of an answer is not always what was meant to be: it cannot be read again. */
  const withDamage = ([name, completion, ...more]: unknown[]): unknown[] => {
    const { outcome } = (completion ?? {}) as Partial<Completion>;
    if (!outcome || outcome.kind === 'unavailable') return [name, completion, ...more];
    if (!faults.strike('stored answer is damaged')) return [name, completion, ...more];
    const damaged = { ...outcome, answer: Buffer.from(outcome.answer).map(flipped) };
    return [name, { ...(completion as Completion), outcome: damaged }, ...more];
  };
  return withMethods(store, (method, property) => {
    if (!watched.has(property)) return method;
    return async (...args) => {
      const name = args[0] as RecordName;
      // The store decides before it waits: nothing comes between these three.
      const looking = [store.find(name), method(...withDamage(args)), store.find(name)] as const;
      const [before, answer, after] = [await looking[0], await looking[1], await looking[2]];
      notice(history, property, { before, answer, after });
      leases.notice(property, args, { before, answer, after });
      return answer;
    };
  });
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** The same store, with other methods around its own. */
function withMethods(
  store: MemoryStore,
  around: (method: Method, property: string) => Method,
): MemoryStore {
  const methods = new Map<string | symbol, Method>();
  return new Proxy(store, {
    get(target, property) {
      const known = methods.get(property);
      if (known) return known;
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function' || typeof property !== 'string') return value;
      const method = around((value as Method).bind(target), property);
      methods.set(property, method);
      return method;
    },
  });
}

const watched: ReadonlySet<unknown> = new Set([
  ...['reserve', 'renew', 'saveProgress', 'complete', 'release', 'doubt', 'settle', 'putOff'],
]);

/** What a call to the store did. */
export interface SeenCall {
  readonly before: RecordSummary | undefined;
  readonly answer: unknown;
  readonly after: RecordSummary | undefined;
}

function notice(history: History, method: string, { before, answer, after }: SeenCall): void {
  const [from, to] = [stateOf(before), stateOf(after)];
  const word =
    typeof answer === 'string' ? answer : (answer as { kind?: string } | undefined)?.kind;
  const overtook = before && after && after.attempt > before.attempt;
  const what = `${method}: ${from} → ${to}`;
  const change = from === 'in-progress' && overtook ? `${what}, taken over` : what;
  const changed = from !== to || overtook || (quiet.get(method) === word && isOpen.has(to));
  if (!changed) {
    const seen = answers.get(`${method}: ${word}`);
    if (seen) history.count(seen);
    return;
  }
  const transition = transitions.get(change);
  if (transition) history.count(transition);
  else history.broken(`${change} is no transition there is`);
}

/** What changes something of a record that keeps its state. */
const quiet: ReadonlyMap<string, string> = new Map([
  ['renew', 'renewed'],
  ['saveProgress', 'saved'],
  ['putOff', 'put-off'],
]);

/** Who puts off a look into what was settled meanwhile changes nothing that anybody sees. */
const isOpen: ReadonlySet<SeenState> = new Set(['in-progress', 'unknown']);

function stateOf(record: RecordSummary | undefined): SeenState {
  return record?.state ?? 'absent';
}

function flipped(byte: number): number {
  return byte ^ 0xff;
}
