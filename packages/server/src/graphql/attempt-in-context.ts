import { following } from '@onceward/core';
import { intentAround } from '../ambient/ambient-intent.ts';
import { type AttemptContext, HandlerContext } from '../attempts/attempt-context.ts';
import type { Effect } from '../effect.ts';

/**
 * What resolvers of a marked mutation find in their context. Name the effect to get what it
 * brings: `tx` for `'atomic'`, `step` for `'steps'`.
 */
export interface IdempotencyContext<DeclaredEffect extends Effect = Effect, Transaction = never> {
  readonly idempotency: AttemptContext<DeclaredEffect, Transaction>;
}

type Attempt = AttemptContext<Effect, unknown>;

/**
 * A context for one execution, with the attempt in it. The original stays as it is: it may be
 * shared by several operations, and none may see the transaction of another.
 */
export function withAttempt(context: unknown, attempt: Attempt): IdempotencyContext {
  const original = Object(context) as object;
  return Object.create(Object.getPrototypeOf(original) as object | null, {
    ...Object.getOwnPropertyDescriptors(original),
    idempotency: lentProperty(attempt),
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
export function lendAttempt(context: unknown, attempt: Attempt): LentContext {
  if (!isExtensible(context)) return copied(context, attempt);
  const own = Object.hasOwn(context, 'idempotency') && ownDescriptor(context);
  if (!own) return new Loan(context, attempt);
  const shared = sharedContexts.get(context);
  if (shared) return shared.lend(attempt);
  if (!own.configurable) return copied(context, attempt);
  // Nobody knows who asks where intents are not followed, so each has a context of their own.
  return following().asked
    ? new SharedContext(context, own).lend(attempt)
    : copied(context, attempt);
}

/** A context that serves one operation, as nearly all do. */
class Loan implements LentContext {
  readonly value: object;
  readonly #attempt: Attempt;

  constructor(context: object, attempt: Attempt) {
    this.value = context;
    this.#attempt = attempt;
    put(attempt, context);
  }

  [Symbol.dispose](): void {
    const shared = sharedContexts.get(this.value);
    if (shared) shared.takeBack(this.#attempt);
    else hide(this.value);
  }
}

/** A context with something of that name of its own, or in which several find an attempt. */
class SharedContext {
  readonly #attempts: Attempt[];
  readonly #context: object;
  readonly #before: PropertyDescriptor | undefined;

  constructor(context: object, own: PropertyDescriptor) {
    const lent: unknown = own.value;
    this.#attempts = lent instanceof HandlerContext ? [lent] : [];
    this.#before = this.#attempts.length > 0 ? undefined : own;
    this.#context = context;
    sharedContexts.set(context, this);
    Object.defineProperty(context, 'idempotency', {
      get: () => this.#current(),
      enumerable: true,
      configurable: true,
    });
  }

  lend(attempt: Attempt): LentContext {
    this.#attempts.push(attempt);
    return { value: this.#context, [Symbol.dispose]: () => this.takeBack(attempt) };
  }

  takeBack(attempt: Attempt): void {
    this.#attempts.splice(this.#attempts.indexOf(attempt), 1);
    if (this.#attempts.length > 0) return;
    sharedContexts.delete(this.#context);
    hide(this.#context);
    if (this.#before) Reflect.defineProperty(this.#context, 'idempotency', this.#before);
  }

  /** Of several, the one whose intent is current. Whoever has none gets none of the others'. */
  #current(): Attempt | undefined {
    if (this.#attempts.length === 1) return this.#attempts[0];
    const current = intentAround()?.key;
    return this.#attempts.find(({ key }) => key === current);
  }
}

/** Defining takes ten times as long, and is for where a parent, or a proxy, does not let others write. */
function put(attempt: Attempt, context: { idempotency?: Attempt }): void {
  if (!isWritten(attempt, context)) {
    Object.defineProperty(context, 'idempotency', lentProperty(attempt));
  }
}

function isWritten(attempt: Attempt, context: { idempotency?: Attempt }): boolean {
  try {
    if ('idempotency' in context) return false;
    context.idempotency = attempt;
    return true;
  } catch {
    return false;
  }
}

function lentProperty(attempt: Attempt): PropertyDescriptor {
  return { value: attempt, enumerable: true, configurable: true, writable: true };
}

function ownDescriptor(context: object): PropertyDescriptor | undefined {
  return Object.getOwnPropertyDescriptor(context, 'idempotency');
}

const sharedContexts = new WeakMap<object, SharedContext>();

function copied(context: unknown, attempt: Attempt): LentContext {
  return { value: withAttempt(context, attempt), [Symbol.dispose]() {} };
}

/** Leaves a context that does not allow it as it is: what was executed must not fail for it. */
function hide(context: object): void {
  try {
    Reflect.deleteProperty(context, 'idempotency');
  } catch {
    // A proxy that does not like to lose members.
  }
}

function isExtensible(context: unknown): context is object {
  return typeof context === 'object' && context !== null && Object.isExtensible(context);
}
