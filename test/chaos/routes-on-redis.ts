import { randomUUID } from 'node:crypto';
import { parseKey } from '@onceward/core';
import { redisStore } from '@onceward/redis';
import { createMaintenance } from '@onceward/server';
import { createIdempotency, nodeHandler } from '@onceward/server/fetch';
import { Redis } from 'ioredis';
import { prefixes } from './redis-prefixes.ts';
import { quietMs, receipt, settledReceipt, sometimesSlow, tenantOf } from './route-parts.ts';
import type { ServerTools } from './server-tools.ts';

/** Mutations whose keys are in Redis. Resolves when Redis is as it must be. */
export async function routesOnRedis(port: number, tools: ServerTools) {
  const waited = redisStore(openRedis(port), {
    prefix: prefixes.waited,
    waitForReplicas: { count: 1, timeoutMs: 200 },
    durability: 'aof-always',
  });
  const unwaited = redisStore(openRedis(port), { prefix: prefixes.unwaited });
  await verified(waited);

  const { probe, hooks, clock } = tools;
  const times = { leaseMs: 2_000, maxExecutionMs: 3_000, storeRetryAfterMs: 50 };
  const shared = { scope: tenantOf, probe, hooks, clock, ...times };
  const once = createIdempotency({ ...shared, store: tools.watched(waited) });
  const hopefully = createIdempotency({ ...shared, store: unwaited, acceptLoss: true });
  const charge = async (
    request: Request,
    { key, signal }: { key: string; signal: AbortSignal },
  ): Promise<Response> => {
    await sometimesSlow();
    signal.throwIfAborted();
    await tools.provider('/charge', { tenant: tenantOf(request), key }, signal);
    return receipt(request, randomUUID());
  };
  const external = once.route(
    { operation: 'external', effect: 'external', requires: 'failover-safe' },
    charge,
  );
  const hopeful = hopefully.route({ operation: 'external', effect: 'external' }, charge);
  if (tools.maintains) {
    createMaintenance({ store: tools.watched(waited), sweepEveryMs: 5_000, hooks }).start();
  }

  /** Redis keeps no list of unknown outcomes: whoever hears of one asks the provider. */
  const settle = (mutation: typeof external.mutation) => async (request: Request) => {
    const tenant = tenantOf(request);
    const parsed = parseKey(await request.text());
    if (parsed.kind === 'invalid') return new Response(null, { status: 400 });
    const { key } = parsed;
    const charges = await tools.provider('/charges', { tenant, key });
    const settled = await mutation.settle(
      { scope: tenant, key },
      charges > 0
        ? { kind: 'executed', value: settledReceipt(tenant) }
        : { kind: 'not-executed', quietMs },
    );
    if (settled === 'settled') {
      tools.count(charges > 0 ? 'settled-executed' : 'settled-not-executed');
    }
    return Response.json({ settled });
  };
  return {
    'redis-external': nodeHandler(external),
    'redis-unwaited': nodeHandler(hopeful),
    'redis-external/settle': nodeHandler(settle(external.mutation)),
    'redis-unwaited/settle': nodeHandler(settle(hopeful.mutation)),
  };
}

function openRedis(port: number): Redis {
  const redis = new Redis(port, '127.0.0.1', {
    maxRetriesPerRequest: 1,
    commandTimeout: 1_500,
    retryStrategy: () => 50,
  });
  redis.on('error', () => undefined);
  return redis;
}

async function verified(store: { verify(): Promise<void> }): Promise<void> {
  for (;;) {
    const problem = await store.verify().catch((error: Error) => error);
    if (!problem) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
