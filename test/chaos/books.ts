import { postgresStore } from '@onceward/postgres';
import { createMaintenance } from '@onceward/server';
import type pg from 'pg';
import { type ChaosIntent, passes, send } from './customers.ts';

/** What must be zero. */
export interface Breaches {
  readonly duplicates: number;
  readonly lostAcknowledgements: number;
  readonly unequalReplays: number;
  readonly crossTenant: number;
  readonly stuck: number;
}

export interface Books extends Breaches {
  /** Intents that were answered while there was chaos. */
  readonly acknowledged: number;
  readonly effects: number;
}

/** Sends everything once more, now that all is well, and compares. */
export async function closeBooks(
  intents: readonly ChaosIntent[],
  { pool, url }: { readonly pool: pg.Pool; readonly url: () => string },
): Promise<Books> {
  const acknowledged = intents.filter(({ answers }) => answers.length > 0).length;
  const left = intents.values();
  let stuck = 0;
  const settle = async () => {
    for (const intent of left) if (!(await answeredInTime(intent, url))) stuck++;
  };
  await Promise.all(Array.from({ length: 16 }, settle));

  const { rows } = await pool.query<{ tenant: string; intent: string; count: number }>(
    'select tenant, intent, count(*)::int as count from effects group by tenant, intent',
  );
  const effects = new Map(rows.map(({ tenant, intent, count }) => [`${tenant} ${intent}`, count]));
  const effectsOf = ({ tenant, key }: ChaosIntent) => effects.get(`${tenant} ${key}`) ?? 0;
  const store = postgresStore(pool);
  await createMaintenance({ store }).sweep();
  const { records } = await store.stats();
  return {
    acknowledged,
    effects: rows.reduce((sum, { count }) => sum + count, 0),
    duplicates: intents.filter((intent) => effectsOf(intent) > 1).length,
    lostAcknowledgements: intents.filter(
      (intent) => intent.answers.length > 0 && effectsOf(intent) === 0,
    ).length,
    unequalReplays: intents.filter(({ answers }) => new Set(answers).size > 1).length,
    crossTenant: intents.filter(({ answers, tenant }) =>
      answers.some((text) => (JSON.parse(text) as { tenant: string }).tenant !== tenant),
    ).length,
    stuck: stuck + records['in-progress'] + records.unknown,
  };
}

/** A lease that nobody holds any more runs out within a second. */
async function answeredInTime(intent: ChaosIntent, url: () => string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    const { status, text } = await send(intent, url());
    if (status === 201) {
      intent.answers.push(text);
      return true;
    }
    await passes(100);
  }
  return false;
}
