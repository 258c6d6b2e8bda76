import { describeStore } from '@onceward/conformance';
import { afterAll, describe, test } from 'vitest';
import { schemasWithPeers } from '../../test/open-with-peers.ts';

describe('the Postgres store in one plain table', () => {
  const schemas = schemasWithPeers();
  afterAll(() => schemas[Symbol.asyncDispose]());

  const open = () => schemas.open({ partitions: false });
  describeStore({ describe, test }, open, { transactions: 'concurrent', reconciling: true });
});
