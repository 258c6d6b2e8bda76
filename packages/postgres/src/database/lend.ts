import { refusedToEnd, usedAfterEnd } from '../handler-mistakes.ts';
import { controlsTransaction } from './transaction-control.ts';

/** An object that a handler may use for a while. */
export interface Loan<Handle> {
  readonly handle: Handle;
  /** From now on, whatever is done with the handle is refused. */
  readonly takeBack: () => void;
}

export interface LendingRules {
  /** The text that a call sends, where it can be seen; `method` is empty for the handle itself. */
  readonly textOf?: (method: string, parameters: readonly unknown[]) => string | undefined;
  /** Methods that end the transaction, or let go of its connection. */
  readonly forbidden?: readonly string[];
  /** Methods that answer with a promise, and so refuse with one. */
  readonly asynchronous?: readonly string[];
  /** Methods that give another handle to a callback: a transaction inside this one. */
  readonly nesting?: readonly string[];
  /** Sees the result of each call before the handler does. */
  readonly passOn?: (result: unknown) => unknown;
}

/**
 * Hands out an open transaction, as the library's own object, and takes it back.
 *
 * The object itself goes on living: it is a connection that belongs to the pool's next borrower, or
 * a builder around one. A handler that did not wait for all of its statements, or was given up,
 * would write outside of any transaction.
 */
export function lend<Handle extends object>(target: Handle, rules: LendingRules): Loan<Handle> {
  const state = { lent: true };
  return { handle: guarded(target, rules, state), takeBack: () => void (state.lent = false) };
}

function guarded<Handle extends object>(
  target: Handle,
  rules: LendingRules,
  state: { readonly lent: boolean },
): Handle {
  const { asynchronous = [], nesting = [], passOn = (result) => result } = rules;
  const guards = new Map<unknown, unknown>();

  /** One that is nested may end: that is a savepoint. */
  const lendNested = (parameter: unknown): unknown => {
    if (typeof parameter !== 'function') return parameter;
    return (nested: object, ...rest: unknown[]): unknown =>
      (parameter as Callable)(guarded(nested, { ...rules, forbidden: [] }, state), ...rest);
  };
  const call = (method: string, callable: Callable, parameters: unknown[]): unknown => {
    const refusal = state.lent ? refusalOf(rules, method, parameters) : usedAfterEnd();
    if (refusal) {
      if (asynchronous.includes(method)) return Promise.reject(refusal);
      throw refusal;
    }
    const passed = nesting.includes(method) ? parameters.map(lendNested) : parameters;
    // On the target, which may have private fields; and whatever returns itself, returns the loan.
    const result = passOn(callable.apply(target, passed));
    return result === target ? handle : result;
  };
  /** A function may have properties, too. */
  const guard = (method: string, callable: Callable) =>
    new Proxy(callable, {
      apply: (_, __, parameters: unknown[]) => call(method, callable, parameters),
    });

  const handle = new Proxy(target, {
    get(_, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof property === 'symbol' || harmless.has(property)) return value;
      if (typeof value === 'function') {
        if (!guards.has(value)) guards.set(value, guard(property, value as Callable));
        return guards.get(value);
      }
      if (!state.lent && value !== undefined) throw usedAfterEnd();
      return value;
    },
    apply: (_, __, parameters: unknown[]) => call('', target as Callable, parameters),
  });
  return handle;
}

function refusalOf(
  { forbidden = [], textOf }: LendingRules,
  method: string,
  parameters: readonly unknown[],
): Error | undefined {
  const ends = forbidden.includes(method) || controlsTransaction(textOf?.(method, parameters));
  return ends ? refusedToEnd() : undefined;
}

/** What is asked of any object by whoever prints, awaits or recognises it. */
const harmless: ReadonlySet<string> = new Set(['constructor', 'then', 'toJSON', 'prototype']);

type Callable = (this: unknown, ...parameters: unknown[]) => unknown;
