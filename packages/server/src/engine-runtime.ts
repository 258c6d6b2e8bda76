import { createKeyMinter, type IdempotencyKey } from '@onceward/core';
import { ambient } from './ambient/ambient.ts';
import { StoreTime } from './attempts/store-time.ts';
import type { ResolvedEngineOptions } from './options/engine-options.ts';

/** An engine at work: its options, and what it remembers between two intents. */
export interface EngineRuntime extends ResolvedEngineOptions {
  /** Verifies the store once; again after it failed. */
  verifyStore(): Promise<void>;
  /** Whether that has been done: then nobody needs to wait for it. */
  readonly storeIsVerified: () => boolean;
  /** For executions that nobody sent a key for. */
  mintKey(): IdempotencyKey;
  /** Duplicates that wait for another attempt at the moment. */
  readonly waiters: { count: number };
  readonly storeTime: StoreTime;
}

export function startEngine(options: ResolvedEngineOptions): EngineRuntime {
  const { store, clock, storeTimeoutMs } = options;
  // From here on, "no current intent" is something that has to be known.
  ambient();
  const storeTime = new StoreTime(clock, storeTimeoutMs);
  let verified: Promise<void> | undefined;
  let done = false;
  const engine: EngineRuntime = {
    ...options,
    storeIsVerified: () => done,
    waiters: { count: 0 },
    storeTime,
    mintKey: createKeyMinter({ now: () => clock.now() }),
    verifyStore() {
      // Within its time: a connection that hangs must not be waited for by everyone after it.
      verified ??= storeTime.limit(store.verify()).then(
        () => void (done = true),
        (error: unknown) => {
          verified = undefined;
          throw error;
        },
      );
      return verified;
    },
  };
  return engine;
}
