import { describeClock } from './guarantees/clock.ts';
import { describeFencing } from './guarantees/fencing.ts';
import { describeHeldTransactions } from './guarantees/held-transactions.ts';
import { describeHorizon } from './guarantees/horizon.ts';
import { describeLostCommits } from './guarantees/lost-commits.ts';
import { describeMaintenance } from './guarantees/maintenance.ts';
import { describeMismatch } from './guarantees/mismatch.ts';
import { describeReconciling } from './guarantees/reconciling.ts';
import { describeReplaying } from './guarantees/replaying.ts';
import { describeReserving } from './guarantees/reserving.ts';
import { describeScopes } from './guarantees/scopes.ts';
import { describeStaleLeases } from './guarantees/stale-leases.ts';
import { describeHeldSteps, describeTransactionalSteps } from './guarantees/transactional-steps.ts';
import { describeTransactions } from './guarantees/transactions.ts';
import { describeUnknown } from './guarantees/unknown.ts';
import type { OpenHarness, TestApi } from './harness.ts';

/** What a store can do, and so which of the guarantees it is held to. */
export interface DescribeStoreOptions {
  /**
   * - `none`: the store has no `transact`.
   * - `serial`: one transaction at a time, as in an embedded database with one connection.
   * - `concurrent`: transactions run side by side; the harness needs `effects.losingCommits`.
   *
   * @defaultValue `none`
   */
  transactions?: 'none' | 'serial' | 'concurrent';
  /**
   * `shared`: the store reads the clock of the process that calls it, as an embedded database
   * does. Then nothing can show that it does not, and the tests of guarantee 10 are left out.
   *
   * @defaultValue `own`
   */
  clock?: 'own' | 'shared';
  /** The store has `takeUnknown`: a reconciler may look into unknown records. @defaultValue `false` */
  reconciling?: boolean;
}

/**
 * Registers the tests that every `Store` must pass, one group per guarantee of the port.
 *
 * @example
 * ```ts
 * import { describeStore } from '@onceward/conformance';
 * import { describe, test } from 'vitest';
 *
 * describeStore({ describe, test }, openMyStore, { transactions: 'none' });
 * ```
 */
export function describeStore(
  api: TestApi,
  open: OpenHarness,
  { transactions = 'none', clock = 'own', reconciling = false }: DescribeStoreOptions = {},
): void {
  const { describe } = api;
  describe('reserving: one attempt at a time', () => describeReserving(api, open));
  describe('fencing: nothing without the current token', () => describeFencing(api, open));
  describe('replaying: the same answer, byte for byte', () => describeReplaying(api, open));
  describe('mismatch: another input is refused first', () => describeMismatch(api, open));
  describe('stale leases: by policy', () => describeStaleLeases(api, open));
  if (clock === 'own') describe('clock: the store’s own', () => describeClock(api, open));
  describe('unknown outcomes: settled by evidence', () => describeUnknown(api, open));
  describe('horizon: old keys are refused', () => describeHorizon(api, open));
  describe('scopes: tenants never meet', () => describeScopes(api, open));
  describe('maintenance: sweep, prune, stats', () => describeMaintenance(api, open));
  if (reconciling) {
    describe('reconciling: one look at a time', () => describeReconciling(api, open));
  }
  if (transactions !== 'none') {
    describe('transactions: all or nothing', () => describeTransactions(api, open));
    describe('steps in a transaction', () => describeTransactionalSteps(api, open));
  }
  if (transactions === 'concurrent') {
    describe('transactions held open', () => describeHeldTransactions(api, open));
    describe('steps in a transaction held open', () => describeHeldSteps(api, open));
    describe('commits nobody confirmed', () => describeLostCommits(api, open));
  }
}
