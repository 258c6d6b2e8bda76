import type { TestApi } from '../harness.ts';
import { describeBodies } from './bodies.ts';
import { describeBrokenRows } from './broken-rows.ts';
import { describeDurability } from './durability.ts';
import type { OpenJournalHarness } from './harness.ts';
import { describeIntents } from './intents.ts';
import { describeOrder } from './order.ts';
import { describeRevisions } from './revisions.ts';
import { describeJournalScopes } from './scopes.ts';

/**
 * Registers the tests that every `JournalStore` must pass, one group per guarantee of the port.
 *
 * @example
 * ```ts
 * import { describeJournalStore } from '@onceward/conformance';
 * import { describe, test } from 'vitest';
 *
 * describeJournalStore({ describe, test }, openMyJournalStore);
 * ```
 */
export function describeJournalStore(api: TestApi, open: OpenJournalHarness): void {
  const { describe } = api;
  describe('durability: what resolved is still so', () => describeDurability(api, open));
  describe('order: no number is given twice', () => describeOrder(api, open));
  describe('intents: one live row each', () => describeIntents(api, open));
  describe('revisions: of two writers, one wins', () => describeRevisions(api, open));
  describe('scopes: rows never meet', () => describeJournalScopes(api, open));
  describe('bodies: character by character', () => describeBodies(api, open));
  describe('broken rows: each on its own', () => describeBrokenRows(api, open));
}
