import { createKeyMinter, type IdempotencyKey } from '@onceward/core';
import {
  createEngine,
  type Effect,
  type Engine,
  type EngineEvent,
  type EngineOptions,
  memoryStore,
  type Mutation,
  type MutationOptions,
} from '@onceward/server';
import { failingStore, type FailingStore } from './failing-store.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** An engine on a memory store, with a clock that the test moves and a line it can cut. */
export interface EngineFixture {
  readonly engine: Engine<never>;
  readonly clock: VirtualClock;
  readonly line: FailingStore;
  readonly events: EngineEvent[];
  /** Lets time pass for the store alone, as when this process was suspended. */
  suspend(ms: number): void;
  newKey(): IdempotencyKey;
  mutation<E extends Exclude<Effect, 'atomic'> = 'external'>(
    options?: Partial<MutationOptions<E>>,
  ): Mutation<E, never>;
}

export function openEngine(options: Partial<EngineOptions<never>> = {}): EngineFixture {
  const clock = createVirtualClock();
  let aheadMs = 0;
  const line = failingStore(memoryStore({ now: () => clock.now() + aheadMs }));
  const events: EngineEvent[] = [];
  const { hooks, ...others } = options;
  const engine = createEngine({
    store: line.store,
    acceptLoss: true,
    clock,
    hooks: { onEvent: (event) => void events.push(event), ...hooks },
    ...others,
  });
  return {
    engine,
    clock,
    line,
    events,
    suspend: (ms) => void (aheadMs += ms),
    newKey: createKeyMinter({ now: () => clock.now() }),
    mutation: <E extends Exclude<Effect, 'atomic'>>(declared: Partial<MutationOptions<E>> = {}) =>
      engine.mutation({ operation: 'pay', effect: 'external' as E, ...declared }),
  };
}
