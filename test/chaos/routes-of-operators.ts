import { randomUUID } from 'node:crypto';
import { keyTimestamp, parseKey } from '@onceward/core';
import { postgresOperator, postgresStore } from '@onceward/postgres';
import { createReconciler } from '@onceward/server';
import { createIdempotency, nodeHandler } from '@onceward/server/fetch';
import type pg from 'pg';
import { insertEffect, quietMs, receipt, settledReceipt, tenantOf } from './route-parts.ts';
import type { ServerTools } from './server-tools.ts';

/** Mutations that only operators get any further, and what operators do about them. */
export function routesOfOperators(pool: pg.Pool, tools: ServerTools) {
  const { probe, hooks, clock } = tools;
  const store = tools.watched(postgresStore(pool), { skipsRenewals: true });
  const times = { leaseMs: 500, maxExecutionMs: 3_000, storeRetryAfterMs: 50 };
  const once = createIdempotency({ store, scope: tenantOf, probe, hooks, clock, ...times });
  const operator = postgresOperator(pool);

  const declined = once.route(
    { operation: 'declined', effect: 'atomic' },
    async (request, { tx, key, attempt }) => {
      // An answer, which is kept: the next attempt is the one after an operator has busted it.
      if (attempt === 1) return Response.json({ declined: true }, { status: 402 });
      await tx.query(insertEffect, [tenantOf(request), key, null]);
      return receipt(request, randomUUID());
    },
  );
  const bust = async (request: Request) => {
    const scope = tenantOf(request);
    const parsed = parseKey(await request.text());
    if (parsed.kind === 'invalid') return new Response(null, { status: 400 });
    const { key } = parsed;
    const name = { scope, key, keyTimestampMs: keyTimestamp(key) };
    const why = { actor: 'operator', reason: 'the bank has raised the limit' };
    return Response.json({ busted: await operator.bust(name, why) });
  };

  const leftToOperators = once.route(
    // A provider that tells programs nothing.
    {
      ...{ operation: 'left', effect: 'external' },
      resolve() {
        tools.at('reconciler-before-write');
        return { kind: 'unsure' };
      },
    },
    async (request, { key, signal }) => {
      signal.throwIfAborted();
      await tools.provider('/charge', { tenant: tenantOf(request), key }, signal);
      // It has happened. Its answer is late, whatever became of the lease by then, or lost.
      const dice = Math.random();
      if (dice < 0.4) await new Promise((resolve) => setTimeout(resolve, 600 + dice * 1_500));
      else if (dice < 0.6) throw new Error('The provider hung up');
      return receipt(request, randomUUID());
    },
  );
  if (tools.maintains) {
    const looks = { everyMs: 500, firstDelayMs: 200, maxDelayMs: 400, lookMs: 2_000, maxLooks: 2 };
    const mutations = [leftToOperators.mutation];
    createReconciler({ store, mutations, hooks, ...looks }).start();
    // An operator has a telephone.
    const settleDead = async () => {
      for (const dead of await operator.lookups({ state: 'dead', operation: 'left' })) {
        const { scope: tenant, key, attempt } = dead;
        const charges = await tools.provider('/charges', { tenant, key });
        const audit = { actor: 'operator', evidence: { charges } };
        const settled = await leftToOperators.mutation.settleRecord(dead, {
          ...(charges > 0
            ? { kind: 'executed', value: settledReceipt(tenant) }
            : { kind: 'not-executed', quietMs }),
          ...{ attempt, audit },
        });
        if (settled === 'settled') {
          tools.count(charges > 0 ? 'settled-executed' : 'settled-not-executed');
        }
      }
    };
    setInterval(() => void settleDead().catch(() => undefined), 1_000);
  }
  return {
    declined: nodeHandler(declined),
    'declined/bust': nodeHandler(bust),
    'left-to-operators': nodeHandler(leftToOperators),
  };
}
