import type { Store } from '@onceward/core/store';
import { postgresStore } from '@onceward/postgres';
import { redisStore } from '@onceward/redis';
import { createMaintenance } from '@onceward/server';
import { Redis } from 'ioredis';
import type pg from 'pg';
import type { SettledIntent } from './customers-process.ts';
import { atProvider } from './forms.ts';
import type { Provider } from './provider.ts';
import { prefixes } from './redis-prefixes.ts';

/** What must be zero. */
export interface Breaches {
  readonly duplicates: number;
  readonly lostAcknowledgements: number;
  readonly lostIntents: number;
  readonly unequalReplays: number;
  readonly otherInputs: number;
  readonly refusedEffects: number;
  readonly crossTenant: number;
  readonly oldCookies: number;
  readonly stuck: number;
}

export interface Books extends Breaches {
  readonly intents: number;
  /** Intents that were answered while there was chaos. */
  readonly acknowledged: number;
  /** Intents that were refused for good, as they should be. */
  readonly refused: number;
  readonly effects: number;
  /** What was breached, by how it takes effect. */
  readonly breached: readonly string[];
  /** Of those that went through a journal on a device. */
  readonly onDevices: {
    readonly intents: number;
    /** Those whose `submit` has resolved. */
    readonly persisted: number;
    readonly refused: number;
  };
  /** Of those about which nothing is promised. */
  readonly unpromised: { readonly intents: number; readonly duplicates: number };
}

export interface BookKeeping {
  readonly pool: pg.Pool;
  readonly provider: Provider;
  readonly redisPort: number | undefined;
}

/** Compares what was answered with what happened. */
export async function closeBooks(
  intents: readonly SettledIntent[],
  keeping: BookKeeping,
): Promise<Books> {
  const promised = intents.filter(({ form }) => form !== 'redis-unwaited');
  const unpromised = intents.filter(({ form }) => form === 'redis-unwaited');
  const submitted = intents.filter(({ onDevice }) => onDevice);
  const effectsOf = await countEffects(keeping);
  const breached: string[] = [];
  const answered = ({ answers }: SettledIntent) => answers.length > 0;
  const breach = (words: string, holds: (intent: SettledIntent) => boolean) => {
    const found = promised.filter(holds);
    for (const intent of found) {
      const {
        form,
        deviceClock,
        stuckAt = answered(intent) ? 'answered' : 'not answered',
      } = intent;
      breached.push(`${words}: ${form}, clock ${deviceClock}, ${stuckAt}`);
    }
    return found.length;
  };
  return {
    intents: intents.length,
    acknowledged: intents.filter(({ acknowledged }) => acknowledged).length,
    refused: promised.filter((intent) => intent.refused && !answered(intent)).length,
    effects: intents.reduce((sum, intent) => sum + effectsOf(intent), 0),
    duplicates: breach('twice', (intent) => effectsOf(intent) > 1),
    lostAcknowledgements: breach('lost', (intent) => answered(intent) && effectsOf(intent) === 0),
    lostIntents: breach(
      'never settled',
      (intent) => intent.onDevice?.persisted === true && !answered(intent) && !intent.refused,
    ),
    unequalReplays: breach('unequal', ({ answers }) => answers.length > 1),
    otherInputs: breach('other input', ({ answeredOther }) => answeredOther),
    // Whoever's clock was wrong was refused from the start, and a device gives up only then.
    refusedEffects: breach(
      'refused',
      (intent) =>
        (intent.deviceClock !== 'right' || (intent.onDevice !== undefined && intent.refused)) &&
        effectsOf(intent) > 0,
    ),
    crossTenant: breach('other tenant', ({ answers, tenant }) =>
      answers.some((text) => (JSON.parse(text) as { tenant: string }).tenant !== tenant),
    ),
    oldCookies: breach('old cookie', ({ oldCookie }) => oldCookie),
    stuck:
      breach('stuck', ({ stuckAt }) => stuckAt !== undefined) +
      (await openIn(postgresStore(keeping.pool), breached)) +
      (await openOnRedis(keeping.redisPort, breached)),
    breached,
    onDevices: {
      intents: submitted.length,
      persisted: submitted.filter(({ onDevice }) => onDevice?.persisted).length,
      refused: submitted.filter(({ refused }) => refused).length,
    },
    unpromised: {
      intents: unpromised.length,
      duplicates: unpromised.filter((intent) => effectsOf(intent) > 1).length,
    },
  };
}

async function countEffects({
  pool,
  provider,
}: BookKeeping): Promise<(intent: SettledIntent) => number> {
  const { rows } = await pool.query<{ tenant: string; intent: string; count: number }>(
    'select tenant, intent, count(*)::int as count from effects group by tenant, intent',
  );
  const effects = new Map(rows.map(({ tenant, intent, count }) => [`${tenant} ${intent}`, count]));
  return ({ tenant, key, form, onDevice }) => {
    if (atProvider.has(form)) return provider.charges(tenant, key);
    // Whatever a journal has sent for one intent is that intent, under another key, too.
    const keys = onDevice ? [...onDevice.keys] : [key];
    return keys.reduce((sum, each) => sum + (effects.get(`${tenant} ${each}`) ?? 0), 0);
  };
}

async function openOnRedis(port: number | undefined, breached: string[]): Promise<number> {
  if (port === undefined) return 0;
  const redis = new Redis(port, '127.0.0.1');
  try {
    return await openIn(redisStore(redis, { prefix: prefixes.waited }), breached);
  } finally {
    redis.disconnect();
  }
}

async function openIn(store: Store, breached: string[]): Promise<number> {
  await createMaintenance({ store }).sweep();
  const { records } = await store.stats();
  const open = records['in-progress'] + records.unknown;
  if (open > 0) breached.push(`${open} records are open in ${store.name}`);
  return open;
}
