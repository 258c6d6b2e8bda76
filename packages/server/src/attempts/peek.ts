import type { NotReserved, ReserveRequest } from '@onceward/core/store';
import type { EngineRuntime } from '../engine-runtime.ts';
import { callStore } from './call-store.ts';
import { known, peekKinds } from './known-answer.ts';

/** Asks what reserving would answer, without reserving; `undefined` when it would be granted. */
export async function peek(
  request: ReserveRequest,
  engine: EngineRuntime,
): Promise<NotReserved | undefined> {
  const seen = await callStore(engine, async (store) =>
    known(await store.peek(request), peekKinds),
  );
  return seen.kind === 'free' ? undefined : seen;
}
