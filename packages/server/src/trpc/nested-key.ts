import type { IdempotencyKey } from '@onceward/core';
import { intentAround } from '../ambient/ambient-intent.ts';
import type { RawInputReader } from './incoming-keys.ts';

/**
 * Numbers a call that is made inside a guarded mutation, which gives it the key it will have.
 *
 * At its very start, and once: calls are numbered in the order in which the handler makes them.
 * Later, the order would be that of their authentication, which differs from attempt to attempt,
 * and a call that never got that far would leave its number to the next.
 */
export function numberCall(call: RawInputReader, path: string): void {
  const intent = intentAround();
  if (intent && !numbered.has(call)) numbered.set(call, intent.childKey(path));
}

/** The key of a call inside a guarded mutation; `undefined` outside of one. */
export function nestedKey(call: RawInputReader, path: string): IdempotencyKey | undefined {
  const key = numbered.get(call);
  if (key || !intentAround()) return key;
  throw new TypeError(
    `\`${path}\` was called inside a guarded mutation, and nobody numbered the call: start the ` +
      'procedure from `t.procedure.use(once.unwrap)`',
  );
}

const numbered = new WeakMap<RawInputReader, IdempotencyKey>();
