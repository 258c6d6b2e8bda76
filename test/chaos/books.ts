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
  readonly unclaimedEffects: number;
  readonly crashes: number;
}

export interface Books extends Breaches {
  /** How many intents, or whatever else, could have been breached so. */
  readonly tried: Readonly<Record<keyof Breaches, number>>;
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
  /** How many servers were started, and how many of them ended though nobody had killed them. */
  readonly servers: { readonly started: number; readonly crashed: number };
}

/** Compares what was answered with what happened. */
export async function closeBooks(
  intents: readonly SettledIntent[],
  keeping: BookKeeping,
): Promise<Books> {
  const promised = intents.filter(({ form }) => form !== 'redis-unwaited');
  const unpromised = intents.filter(({ form }) => form === 'redis-unwaited');
  const submitted = intents.filter(({ onDevice }) => onDevice);
  const { effectsOf, allEffects } = await countEffects(keeping);
  const claimed = intents.reduce((sum, intent) => sum + effectsOf(intent), 0);
  const breached: string[] = [];
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
    effects: claimed,
    duplicates: breach('twice', (intent) => effectsOf(intent) > 1),
    lostAcknowledgements: breach('lost', (intent) => answered(intent) && effectsOf(intent) === 0),
    lostIntents: breach('never settled', isLost),
    unequalReplays: breach('unequal', ({ answers }) => answers.length > 1),
    otherInputs: breach('other input', ({ answeredOther }) => answeredOther),
    refusedEffects: breach(
      'refused',
      (intent) => mustNotTakeEffect(intent) && effectsOf(intent) > 0,
    ),
    crossTenant: breach('other tenant', ({ answers, tenant }) =>
      answers.some((text) => (JSON.parse(text) as { tenant: string }).tenant !== tenant),
    ),
    oldCookies: breach('old cookie', ({ oldCookie }) => oldCookie),
    stuck:
      breach('stuck', ({ stuckAt }) => stuckAt !== undefined) +
      (await openIn(postgresStore(keeping.pool), breached)) +
      (await openOnRedis(keeping.redisPort, breached)),
    unclaimedEffects: allEffects - claimed,
    crashes: keeping.servers.crashed,
    tried: triesOf(promised, { effects: allEffects, servers: keeping.servers.started }),
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

function answered({ answers }: SettledIntent): boolean {
  return answers.length > 0;
}

/** A device's clock is right: to be declined is all it may be told instead of an answer. */
function isLost(intent: SettledIntent): boolean {
  const { onDevice, refused, form } = intent;
  if (!onDevice || answered(intent)) return false;
  return refused ? form !== 'declined' : onDevice.persisted;
}

/** Whoever's clock was wrong was refused from the start, and a device gives up only then. */
function mustNotTakeEffect({ deviceClock, onDevice, refused }: SettledIntent): boolean {
  return deviceClock !== 'right' || (onDevice !== undefined && refused);
}

/** Of how many each breach is none: a bound is worth no more than that. */
function triesOf(
  promised: readonly SettledIntent[],
  { effects, servers }: { readonly effects: number; readonly servers: number },
): Books['tried'] {
  const of = (holds: (intent: SettledIntent) => boolean) => promised.filter(holds).length;
  // What a device was told is not asked for again.
  const askedAgain = of((intent) => intent.acknowledged && !intent.onDevice);
  return {
    duplicates: promised.length,
    lostAcknowledgements: of(answered),
    lostIntents: of(({ onDevice }) => onDevice?.persisted === true),
    unequalReplays: askedAgain,
    otherInputs: of(({ askedOther }) => askedOther),
    refusedEffects: of(mustNotTakeEffect),
    crossTenant: of(answered),
    oldCookies: askedAgain,
    stuck: promised.length,
    unclaimedEffects: effects,
    crashes: servers,
  };
}

async function countEffects({ pool, provider }: BookKeeping): Promise<{
  readonly effectsOf: (intent: SettledIntent) => number;
  readonly allEffects: number;
}> {
  const { rows } = await pool.query<{ tenant: string; intent: string; count: number }>(
    'select tenant, intent, count(*)::int as count from effects group by tenant, intent',
  );
  const effects = new Map(rows.map(({ tenant, intent, count }) => [`${tenant} ${intent}`, count]));
  const effectsOf = ({ tenant, key, form, onDevice }: SettledIntent) => {
    if (atProvider.has(form)) return provider.charges(tenant, key);
    // Whatever a journal has sent for one intent is that intent, under another key, too.
    const keys = onDevice ? [...onDevice.keys] : [key];
    return keys.reduce((sum, each) => sum + (effects.get(`${tenant} ${each}`) ?? 0), 0);
  };
  const written = rows.reduce((sum, { count }) => sum + count, 0);
  return { effectsOf, allEffects: written + provider.allCharges() };
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
