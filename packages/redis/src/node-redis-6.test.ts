import { describeStore } from '@onceward/conformance';
import { describe, test } from 'vitest';
import { openNodeRedisStore } from '../test/open-node-redis-store.ts';

describe('the Redis store with node-redis 6', () => {
  describeStore({ describe, test }, () => openNodeRedisStore(6, { connections: 8 }));
});
