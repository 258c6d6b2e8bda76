import { randomUUID } from 'node:crypto';
import { postgresStore } from '@onceward/postgres';
import { createMaintenance, createReconciler } from '@onceward/server';
import { createIdempotency, nodeHandler } from '@onceward/server/fetch';
import type pg from 'pg';
import {
  insertEffect as insert,
  quietMs,
  receipt,
  settledReceipt,
  sometimesSlow,
  tenantOf,
} from './route-parts.ts';
import type { ServerTools } from './server-tools.ts';

/** Mutations whose keys are in PostgreSQL, and whatever keeps them tidy. */
export function routesOnPostgres(pool: pg.Pool, tools: ServerTools) {
  const { probe, hooks, clock } = tools;
  const store = tools.watched(postgresStore(pool));
  const scope = tenantOf;
  const times = { leaseMs: 2_000, maxExecutionMs: 3_000, storeRetryAfterMs: 50 };
  const once = createIdempotency({ store, scope, probe, hooks, clock, ...times });
  // Leases that are short, and often not renewed: others take over, and holders come too late.
  const hastily = createIdempotency({
    ...{ store: tools.watched(postgresStore(pool), { skipsRenewals: true }), scope, probe, hooks },
    ...{ clock, ...times, leaseMs: 500 },
  });
  // Keys that are forgotten soon: whoever forgets relies on clocks, so this one does not jump.
  const briefly = createIdempotency({
    ...{ store, scope, probe, hooks, ...times },
    answerRetentionMs: 1_500,
    keyRetentionMs: 4_000,
    maxClockSkewMs: 1_000,
  });

  const atomic = once.route(
    { operation: 'atomic', effect: 'atomic' },
    async (request, { tx, key }) => {
      await tx.query(insert, [tenantOf(request), key, null]);
      return receipt(request, randomUUID());
    },
  );
  const brief = briefly.route(
    { operation: 'brief', effect: 'atomic' },
    async (request, { tx, key }) => {
      await tx.query(insert, [tenantOf(request), key, null]);
      return receipt(request, randomUUID());
    },
  );
  const transactionalSteps = once.route(
    { operation: 'in-steps', effect: 'steps' },
    async (request, { step, key }) => {
      await step.transaction('charge', async ({ tx }) => {
        await tx.query(insert, [tenantOf(request), key, null]);
      });
      await step('note', () => 'noted');
      return receipt(request, randomUUID());
    },
  );
  const outsideSteps = hastily.route(
    { operation: 'outside', effect: 'steps' },
    async (request, { step, key }) => {
      await step('charge', async ({ downstreamKey }) => {
        await sometimesSlow();
        // A provider that honours keys.
        const values = [tenantOf(request), key, downstreamKey];
        await pool.query(`${insert} on conflict (provider_key) do nothing`, values);
      });
      await sometimesSlow(0.2);
      return receipt(request, randomUUID());
    },
  );
  const external = once.route(
    {
      operation: 'external',
      effect: 'external',
      async resolve({ scope: tenant, key, look }) {
        const charges = await tools.provider('/charges', { tenant, key });
        tools.at('reconciler-before-write');
        if (look === 1 && charges === 0) return { kind: 'unsure' };
        return charges > 0
          ? { kind: 'executed', value: settledReceipt(tenant) }
          : { kind: 'not-executed', quietMs };
      },
    },
    async (request, { key, signal }) => {
      await sometimesSlow();
      signal.throwIfAborted();
      await tools.provider('/charge', { tenant: tenantOf(request), key }, signal);
      return receipt(request, randomUUID());
    },
  );

  const mutations = [external.mutation];
  const delays = { firstDelayMs: 500, maxDelayMs: 1_000, lookMs: 2_000, maxLooks: 100 };
  if (tools.maintains) {
    createReconciler({ store, mutations, everyMs: 1_000, hooks, ...delays }).start();
    createMaintenance({ store, sweepEveryMs: 3_000, pruneEveryMs: 5_000, hooks }).start();
  }
  return {
    atomic: nodeHandler(atomic),
    brief: nodeHandler(brief),
    'transactional-steps': nodeHandler(transactionalSteps),
    'outside-steps': nodeHandler(outsideSteps),
    external: nodeHandler(external),
  };
}
