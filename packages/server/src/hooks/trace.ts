import { createHash } from 'node:crypto';
import type { RecordName } from '@onceward/core/store';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import type { TraceSpan } from './engine-hooks.ts';

/** Runs a part of an attempt inside the application's span, if it traces at all. */
export function trace<T>(
  { engine, operation, effect }: ResolvedMutation,
  { name, request }: { name: TraceSpan['name']; request: RecordName },
  run: () => Promise<T>,
): Promise<T> {
  if (!engine.hooks.trace) return run();
  const attributes = {
    'idempotency.operation': operation,
    'idempotency.effect': effect,
    'idempotency.store': engine.store.name,
    'idempotency.key_hash': keyHash(request),
  };
  return engine.hooks.trace({ name, attributes }, run);
}

/** Enough to find the attempts of one intent in traces, too little to be the key. */
function keyHash({ scope, key }: RecordName): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([scope, key]))
    .digest('hex');
  return digest.slice(0, 16);
}
