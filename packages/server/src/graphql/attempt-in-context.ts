import { currentIntent } from '@onceward/core';
import type { AttemptContext } from '../attempts/attempt-context.ts';
import type { Effect } from '../effect.ts';

/**
 * What resolvers of a marked mutation find in their context. Name the effect to get what it
 * brings: `tx` for `'atomic'`, `step` for `'steps'`.
 */
export interface IdempotencyContext<DeclaredEffect extends Effect = Effect, Transaction = never> {
  readonly idempotency: AttemptContext<DeclaredEffect, Transaction>;
}

/**
 * A context for one execution, with the attempt in it. The original stays as it is: it may be
 * shared by several operations, and none may see the transaction of another.
 */
export function withAttempt(
  context: unknown,
  attempt: AttemptContext<Effect, unknown>,
): IdempotencyContext {
  const original = Object(context) as object;
  return Object.create(Object.getPrototypeOf(original) as object | null, {
    ...Object.getOwnPropertyDescriptors(original),
    idempotency: { value: attempt, enumerable: true, configurable: true },
  }) as IdempotencyContext;
}

/** A context with an attempt in it, until it is disposed of. */
export interface LentContext extends Disposable {
  readonly value: object;
}

/**
 * Lends the attempt to a context while it is executed, for servers whose plugins share one object
 * per operation and read from it what resolvers wrote. A context that cannot be changed is copied.
 *
 * One that serves several operations at once has the attempt of whoever asks: the transaction of
 * one must not be handed to another.
 */
export function lendAttempt(
  context: unknown,
  attempt: AttemptContext<Effect, unknown>,
): LentContext {
  if (!canBorrow(context)) return { value: withAttempt(context, attempt), [Symbol.dispose]() {} };
  const borrowed = borrowers.get(context) ?? new BorrowedContext(context);
  borrowers.set(context, borrowed);
  borrowed.attempts.add(attempt);
  return {
    value: context,
    [Symbol.dispose]() {
      borrowed.attempts.delete(attempt);
      if (borrowed.attempts.size > 0) return;
      borrowers.delete(context);
      borrowed.giveBack();
    },
  };
}

/** A context in which somebody finds an attempt. */
class BorrowedContext {
  readonly attempts = new Set<AttemptContext<Effect, unknown>>();
  readonly #context: object;
  readonly #before: PropertyDescriptor | undefined;

  constructor(context: object) {
    this.#context = context;
    this.#before = Object.getOwnPropertyDescriptor(context, 'idempotency');
    Object.defineProperty(context, 'idempotency', {
      get: () => this.#attempt(),
      enumerable: true,
      configurable: true,
    });
  }

  giveBack(): void {
    delete (this.#context as { idempotency?: unknown }).idempotency;
    if (this.#before) Object.defineProperty(this.#context, 'idempotency', this.#before);
  }

  /** Of several, the one whose intent is current. Whoever has none gets none of the others'. */
  #attempt(): AttemptContext<Effect, unknown> | undefined {
    const attempts = [...this.attempts];
    if (attempts.length === 1) return attempts[0];
    const current = currentIntent()?.key;
    return attempts.find(({ key }) => key === current);
  }
}

const borrowers = new WeakMap<object, BorrowedContext>();

function canBorrow(context: unknown): context is object {
  if (typeof context !== 'object' || context === null) return false;
  const own = Object.getOwnPropertyDescriptor(context, 'idempotency');
  return Object.isExtensible(context) && own?.configurable !== false;
}
