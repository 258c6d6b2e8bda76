import { postgresStore } from '@onceward/postgres';
import { redisStore } from '@onceward/redis';
import { createMaintenance } from '@onceward/server';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { type ChaosIntent, note, passes, send, settle } from './customers.ts';
import { atProvider, onRedis } from './forms.ts';
import type { Provider } from './provider.ts';
import { prefixes } from './redis-prefixes.ts';

/** What must be zero. */
export interface Breaches {
  readonly duplicates: number;
  readonly lostAcknowledgements: number;
  readonly unequalReplays: number;
  readonly otherInputs: number;
  readonly refusedEffects: number;
  readonly crossTenant: number;
  readonly stuck: number;
}

export interface Books extends Breaches {
  /** Intents that were answered while there was chaos. */
  readonly acknowledged: number;
  /** Intents that were refused for good, as they should be. */
  readonly refused: number;
  readonly effects: number;
  /** What was breached, by how it takes effect. */
  readonly breached: readonly string[];
  /** Of those about which nothing is promised. */
  readonly unpromised: { readonly intents: number; readonly duplicates: number };
}

export interface BookKeeping {
  readonly pool: pg.Pool;
  readonly provider: Provider;
  readonly redisPort: number | undefined;
  readonly port: () => number;
  readonly onProgress?: (share: number) => void;
}

/** Sends everything once more, now that all is well, and compares. */
export async function closeBooks(
  intents: readonly ChaosIntent[],
  keeping: BookKeeping,
): Promise<Books> {
  const promised = intents.filter(({ form }) => form !== 'redis-unwaited');
  const unpromised = intents.filter(({ form }) => form === 'redis-unwaited');
  const acknowledged = intents.filter(({ answers }) => answers.length > 0).length;
  const unanswered = await settleAll(promised, keeping);
  const effectsOf = await countEffects(keeping);
  const onPostgres = await openOnPostgres(keeping.pool);
  const inRedis = await openOnRedis(keeping.redisPort);
  const breached: string[] = [];
  if (onPostgres > 0) breached.push(`${onPostgres} records are open in PostgreSQL`);
  if (inRedis > 0) breached.push(`${inRedis} records are open in Redis`);
  const many = (holds: (intent: ChaosIntent) => boolean) => promised.filter(holds).length;
  const breach = (words: string, holds: (intent: ChaosIntent) => boolean) => {
    const found = promised.filter(holds);
    for (const { form, deviceClock } of found) breached.push(`${words}: ${form} (${deviceClock})`);
    return found.length;
  };
  const answered = ({ answers }: ChaosIntent) => answers.length > 0;
  return {
    acknowledged,
    refused: many((intent) => intent.refused && !answered(intent)),
    effects: intents.reduce((sum, intent) => sum + effectsOf(intent), 0),
    duplicates: breach('twice', (intent) => effectsOf(intent) > 1),
    lostAcknowledgements: breach('lost', (intent) => answered(intent) && effectsOf(intent) === 0),
    unequalReplays: breach('unequal', ({ answers }) => new Set(answers).size > 1),
    otherInputs: breach('other input', ({ answeredOther }) => answeredOther),
    // Whoever's clock was wrong was refused from the start.
    refusedEffects: breach('refused', (intent) => intent.deviceClock !== 'right' && effectsOf(intent) > 0),
    crossTenant: breach('other tenant', ({ answers, tenant }) =>
      answers.some((text) => (JSON.parse(text) as { tenant: string }).tenant !== tenant),
    ),
    stuck: breach('stuck', (intent) => unanswered.has(intent)) + onPostgres + inRedis,
    breached,
    unpromised: {
      intents: unpromised.length,
      duplicates: unpromised.filter((intent) => effectsOf(intent) > 1).length,
    },
  };
}

/** Those to which there was no answer. */
async function settleAll(
  intents: readonly ChaosIntent[],
  { port, onProgress }: BookKeeping,
): Promise<ReadonlySet<ChaosIntent>> {
  const left = intents.entries();
  const stuck = new Set<ChaosIntent>();
  const settleSome = async () => {
    for (const [at, intent] of left) {
      if (!(await answeredInTime(intent, port))) stuck.add(intent);
      if (at % 100 === 0) onProgress?.(at / intents.length);
    }
  };
  await Promise.all(Array.from({ length: 32 }, settleSome));
  return stuck;
}

/** A lease that nobody holds any more runs out within a second; a quiet time takes six. */
async function answeredInTime(intent: ChaosIntent, port: () => number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if (note(intent, await send(intent, port()))) return true;
    await passes(100);
    if (onRedis.has(intent.form)) await settle(intent, port());
  }
  return false;
}

async function countEffects({
  pool,
  provider,
}: BookKeeping): Promise<(intent: ChaosIntent) => number> {
  const { rows } = await pool.query<{ tenant: string; intent: string; count: number }>(
    'select tenant, intent, count(*)::int as count from effects group by tenant, intent',
  );
  const effects = new Map(rows.map(({ tenant, intent, count }) => [`${tenant} ${intent}`, count]));
  return ({ tenant, key, form }) =>
    atProvider.has(form) ? provider.charges(tenant, key) : (effects.get(`${tenant} ${key}`) ?? 0);
}

async function openOnPostgres(pool: pg.Pool): Promise<number> {
  const store = postgresStore(pool);
  await createMaintenance({ store }).sweep();
  const { records } = await store.stats();
  return records['in-progress'] + records.unknown;
}

async function openOnRedis(port: number | undefined): Promise<number> {
  if (port === undefined) return 0;
  const redis = new Redis(port, '127.0.0.1');
  try {
    const store = redisStore(redis, { prefix: prefixes.waited });
    await createMaintenance({ store }).sweep();
    const { records } = await store.stats();
    return records['in-progress'] + records.unknown;
  } finally {
    redis.disconnect();
  }
}
