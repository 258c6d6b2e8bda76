import { createHash } from 'node:crypto';
import type { RecordName } from '@onceward/core/store';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import type { TraceSpan } from './engine-hooks.ts';

/**
 * Runs a part of an attempt inside the application's span, if it traces at all.
 *
 * A tracer observes: it cannot run a part twice, and what it throws does not replace what happened.
 */
export function trace<T>(
  mutation: ResolvedMutation,
  part: TracedPart,
  run: () => Promise<T>,
): Promise<T> {
  // Not an `async` function: whoever does not trace should not wait for a promise more.
  return mutation.engine.hooks.trace ? runTraced(mutation, part, run) : run();
}

interface TracedPart {
  readonly name: TraceSpan['name'];
  readonly request: RecordName;
}

async function runTraced<T>(
  { engine, operation, effect }: ResolvedMutation,
  { name, request }: TracedPart,
  run: () => Promise<T>,
): Promise<T> {
  const attributes = {
    'idempotency.operation': operation,
    'idempotency.effect': effect,
    'idempotency.store': engine.store.name,
    'idempotency.key_hash': keyHash(request),
  };
  let ran: Promise<T> | undefined;
  const once = () => (ran ??= run());
  try {
    await engine.hooks.trace?.({ name, attributes }, once);
  } catch {
    // Its own failure, or that of the part, which is thrown again below.
  }
  return once();
}

/** Enough to find the attempts of one intent in traces, too little to be the key. */
function keyHash({ scope, key }: RecordName): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([scope, key]))
    .digest('hex');
  return digest.slice(0, 16);
}
