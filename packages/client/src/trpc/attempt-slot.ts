import type { Operation } from '@trpc/client';
import type { Attempt } from '../attempt.ts';

/**
 * Hands an attempt to whoever puts its key on the request.
 *
 * Always into a copy: tRPC passes the context of the caller's options by reference, so a key that
 * is written into it would come back with the next call that shares them.
 */
export function withAttempt(op: Operation, attempt: Attempt): Operation {
  return { ...op, context: { ...op.context, [slot]: attempt } };
}

/** The attempt an operation belongs to, below an `idempotencyLink`. */
export function attemptOf({ context }: Operation): Attempt | undefined {
  return (context as Slot)[slot];
}

/** A symbol, because some links send the context on as JSON or as a structured clone. */
const slot = Symbol.for('@onceward/client.trpc.attempt');

interface Slot {
  [slot]?: Attempt;
}
