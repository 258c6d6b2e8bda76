import { describeStore } from '@onceward/conformance';
import { describe, test } from 'vitest';
import { memoryStore } from './memory-store.ts';

describe('the memory store', () => {
  describeStore({ describe, test }, async () => {
    let now = Date.now();
    return {
      store: memoryStore({ now: () => now }),
      elapse: async (ms) => void (now += ms),
      async [Symbol.asyncDispose]() {},
    };
  });
});
