import { describeStore } from '@onceward/conformance';
import { afterAll, describe, test } from 'vitest';
import { schemasWithPeers } from '../test/open-with-peers.ts';

describe('the Postgres store over pg', () => {
  const schemas = schemasWithPeers();
  afterAll(() => schemas[Symbol.asyncDispose]());

  describeStore({ describe, test }, () => schemas.open(), {
    transactions: 'concurrent',
    reconciling: true,
  });
});
