import { describeStore } from '@onceward/conformance';
import { describe, test } from 'vitest';
import { openStore } from '../test/open-store.ts';

describe('the Redis store', () => {
  describeStore({ describe, test }, () => openStore({ connections: 8 }));
});
