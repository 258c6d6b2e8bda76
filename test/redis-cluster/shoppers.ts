import { setTimeout as passes } from 'node:timers/promises';
import { createKeyMinter, IdempotencyError, type IdempotencyKey } from '@onceward/core';
import { redisStore } from '@onceward/redis';
import { createEngine } from '@onceward/server';
import { Cluster } from 'ioredis';

export interface Shopping extends Disposable {
  readonly intents: ClusterIntent[];
  /** How often what was sent was refused, by code. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Resolves when nobody shops any more. */
  stop(): Promise<void>;
  /** Sends everything once more, until it is answered; what is unknown is looked up. */
  settle(): Promise<void>;
}

export interface ClusterIntent {
  readonly key: IdempotencyKey;
  /** What was answered; all of them must be equal. */
  readonly answers: Set<string>;
  /** How often it took effect. */
  effects: number;
  stuck: boolean;
}

export interface ShoppingOptions {
  readonly urls: readonly string[];
  readonly prefix: string;
  readonly waitForReplicas?: { count: number; timeoutMs: number };
  readonly shoppers: number;
}

/** Several people who send each intent, to one of two servers, until it is answered. */
export function goShopping({ urls, shoppers, ...options }: ShoppingOptions): Shopping {
  const intents: ClusterIntent[] = [];
  const refusals: Record<string, number> = {};
  const clusters = [1, 2].map(() => openCluster(urls));
  const mutations = clusters.map((cluster) =>
    createEngine({
      store: redisStore(cluster, options),
      acceptLoss: true,
      leaseMs: 2_000,
      maxExecutionMs: 3_000,
    }).mutation({ operation: 'pay', effect: 'external' }),
  );
  let over = false;
  const send = async (intent: ClusterIntent, at: number): Promise<boolean> => {
    const { key } = intent;
    const pay = mutations[at % mutations.length]!;
    try {
      const { value } = await pay.runOnce({ scope: 'alice', key, input: 1 }, () => {
        intent.effects++;
        return `receipt ${intent.effects} of ${key}`;
      });
      intent.answers.add(value);
      return true;
    } catch (error) {
      const code = IdempotencyError.is(error) ? error.code : 'another';
      refusals[code] = (refusals[code] ?? 0) + 1;
      if (code === 'IDEMPOTENCY_OUTCOME_UNKNOWN') await lookUp(intent, pay).catch(() => undefined);
      return false;
    }
  };
  const shop = async () => {
    for (let at = 0; !over; at++) {
      const intent: ClusterIntent = { key: mint(), answers: new Set(), effects: 0, stuck: false };
      intents.push(intent);
      while (!(await send(intent, at++)) && !over) await passes(50);
    }
  };
  const done = Promise.all(Array.from({ length: shoppers }, shop));
  return {
    intents,
    refusals,
    async stop() {
      over = true;
      await done;
    },
    async settle() {
      const left = intents.values();
      const settleSome = async () => {
        for (const intent of left) {
          intent.stuck = true;
          for (let tries = 0; tries < 150 && intent.stuck; tries++) {
            intent.stuck = !(await send(intent, tries));
            if (intent.stuck) await passes(100);
          }
        }
      };
      await Promise.all(Array.from({ length: 16 }, settleSome));
    },
    [Symbol.dispose]() {
      for (const cluster of clusters) cluster.disconnect();
    },
  };
}

type Pay = ReturnType<ReturnType<typeof createEngine>['mutation']>;

/** The ledger is the evidence: longer than any attempt has passed when absence counts. */
async function lookUp({ key, effects }: ClusterIntent, pay: Pick<Pay, 'settle'>): Promise<void> {
  const value = `receipt ${effects} of ${key}`;
  await pay.settle(
    { scope: 'alice', key },
    effects > 0 ? { kind: 'executed', value } : { kind: 'not-executed', quietMs: 4_000 },
  );
}

function openCluster(urls: readonly string[]): Cluster {
  const cluster = new Cluster([...urls], {
    clusterRetryStrategy: () => 100,
    redisOptions: { commandTimeout: 2_000, maxRetriesPerRequest: 1 },
  });
  cluster.on('error', () => undefined);
  return cluster;
}

const mint = createKeyMinter();
