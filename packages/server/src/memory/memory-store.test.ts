import { describeStore } from '@onceward/conformance';
import { describe, test } from 'vitest';
import { memoryStore } from './memory-store.ts';

describe('the memory store', () => {
  const open = async () => {
    let now = Date.now();
    return {
      store: memoryStore({ now: () => now }),
      elapse: async (ms: number) => void (now += ms),
      async [Symbol.asyncDispose]() {},
    };
  };
  describeStore({ describe, test }, open, { reconciling: true });
});
