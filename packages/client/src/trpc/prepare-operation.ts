import type { IdempotencyKey } from '@onceward/core';
import type { Operation } from '@trpc/client';
import { copyInput } from '../copy-input.ts';
import type { DeliveryTools } from '../course.ts';
import { type ResolvedIntent, resolveIntent } from '../intent.ts';
import { checkFitsEnvelope } from './input-envelope.ts';
import type { ResolvedLinkOptions } from './link-options.ts';
import { chosenKey } from './operation-key.ts';

/** An operation as every attempt for it is made. */
export interface PreparedOperation {
  readonly intent: ResolvedIntent;
  /** With the input as it was when the operation came. */
  readonly op: Operation;
  /** To be called when it has its result: whatever has its name from then on is another. */
  readonly forget: () => unknown;
}

/** Chooses the key of an operation, once, and keeps its input as it is now. */
export type PrepareOperation = (op: Operation, signal: AbortSignal) => PreparedOperation;

/** For one link: what it remembers of its operations. */
export function createPreparer(
  tools: Pick<DeliveryTools, 'clock' | 'newKey' | 'deadlineMs'>,
  { transport, keyOf, origin }: ResolvedLinkOptions,
): PrepareOperation {
  // A link above may send an operation again, as `retryLink` does: that is still the same intent.
  const prepared = new WeakMap<Operation, Preparation>();
  // Also if a link between the two copies it each time, until one of the copies has its result.
  const ofCopies = new Map<string, Preparation>();

  return (op, signal) => {
    const name = `${op.id} ${op.path}`;
    const known = prepared.get(op) ?? ofCopies.get(name);
    const key = known ? known.key : chosenKey(op, keyOf);
    const intent = resolveIntent({ operation: op.path, key, origin, signal }, tools);
    const input = known && known.original === op.input ? known.input : copyInput(op.input);
    if (transport === 'input' && intent.key) checkFitsEnvelope(input);
    const preparation = { key: intent.key, input, original: op.input };
    prepared.set(op, preparation);
    ofCopies.set(name, preparation);
    // Nobody says when an operation that failed is given up.
    const [oldest = ''] = ofCopies.keys();
    if (ofCopies.size > mostCopies) ofCopies.delete(oldest);
    return { intent, op: { ...op, input }, forget: () => ofCopies.delete(name) };
  };
}

interface Preparation {
  readonly key: IdempotencyKey | null;
  /** A copy of the input, and what it is a copy of. */
  readonly input: unknown;
  readonly original: unknown;
}

const mostCopies = 1_000;
