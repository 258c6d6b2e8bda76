import { describeStore } from '@onceward/conformance';
import { describe, test } from 'vitest';
import { memoryStore, MemoryStore } from './memory-store.ts';

describe('the memory store', () => {
  describeStore({ describe, test }, opener(memoryStore), { reconciling: true });
});

describe('the memory store that packs each record as soon as it is completed', () => {
  const open = opener((options) => new MemoryStore(options, { atOnce: 1 }));
  describeStore({ describe, test }, open, { reconciling: true });
});

function opener(openStore: typeof memoryStore) {
  return async () => {
    let now = Date.now();
    return {
      store: openStore({ now: () => now }),
      elapse: async (ms: number) => void (now += ms),
      async [Symbol.asyncDispose]() {},
    };
  };
}
