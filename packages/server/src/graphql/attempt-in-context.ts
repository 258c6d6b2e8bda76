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

/**
 * Lends the attempt to a context while it is executed, for servers whose plugins share one object
 * per operation and read from it what resolvers wrote.
 *
 * A context that has one already serves two operations at once. To go on would hand the
 * transaction of one to the other.
 */
export function lendAttempt(context: object, attempt: AttemptContext<Effect, unknown>): Disposable {
  if (borrowers.has(context)) {
    throw new TypeError(
      'Expected a context of its own for every operation, got one that is in use',
    );
  }
  borrowers.add(context);
  const before = Object.getOwnPropertyDescriptor(context, 'idempotency');
  Object.defineProperty(context, 'idempotency', {
    value: attempt,
    enumerable: true,
    configurable: true,
  });
  return {
    [Symbol.dispose]() {
      borrowers.delete(context);
      delete (context as { idempotency?: unknown }).idempotency;
      if (before) Object.defineProperty(context, 'idempotency', before);
    },
  };
}

const borrowers = new WeakSet<object>();
