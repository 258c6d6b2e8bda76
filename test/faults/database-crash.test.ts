import { idempotentFetch } from '@onceward/client/fetch';
import {
  formatKeyHeader,
  type IdempotencyKey,
  IdempotencyError,
  mintKey,
  parseKeyHeader,
} from '@onceward/core';
import { migrate, postgresStore } from '@onceward/postgres';
import { postgresOutbox } from '@onceward/postgres/outbox';
import { createEngine } from '@onceward/server';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startCrashingPostgres } from '../services/postgres.ts';
import { chargeOf, createCharges } from './charges.ts';
import { finishJobs, parcelsIn } from './open-office.ts';
import { createParcels, parcelTasks } from './parcels.ts';
import { pay, type PaymentForm } from './payment.ts';

const forms: PaymentForm[] = ['atomic', 'staged', 'transactional-steps', 'outside-steps'];
const clients = 8;
const intents = 400;
const crashAfter = [50, 100, 150, 200, 250, 300];

/**
 * Eight clients pay, one intent after the other, while PostgreSQL is stopped with `-m immediate`
 * and started again six times. They send with the delivery of the kit, and know nothing of it.
 */
test('a PostgreSQL that crashes under load loses nothing it acknowledged, and repeats nothing', async () => {
  await using bank = await openBank();
  const waiting = Array.from({ length: intents }, (_, n) => ({
    key: mintKey(),
    form: forms[n % forms.length] as PaymentForm,
  }));
  const all = [...waiting];
  const paid: string[] = [];
  const crashes: Promise<number>[] = [];

  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let intent = waiting.shift(); intent; intent = waiting.shift()) {
        expect(await bank.pay(intent)).toBe('paid');
        paid.push(intent.key);
        if (crashAfter.includes(paid.length)) crashes.push(bank.crash([...paid]));
      }
    }),
  );
  expect(await Promise.all(crashes)).toEqual(crashAfter);
  await bank.finishJobs();

  const once = all.map(({ key }) => [key, 1]);
  expect(await bank.effects()).toEqual(Object.fromEntries(once));
  // Else the crashes hit nothing, and nothing was shown.
  expect(bank.failures()).toBeGreaterThan(crashAfter.length);
  console.log(
    `${intents} intents, ${crashAfter.length} crashes, ${bank.failures()} failed attempts`,
  );
}, 60_000);

async function openBank() {
  const postgres = await startCrashingPostgres();
  const pool = new pg.Pool({ connectionString: postgres.url, max: 12 });
  pool.on('error', () => undefined);
  const schema = 'bank';
  const database = { pool, schema };
  await migrate(pool, { schema });
  await createCharges(pool, schema);
  await createParcels(pool, schema);
  const outbox = postgresOutbox(pool, { tasks: parcelTasks, schema });
  const engine = createEngine({
    store: postgresStore(pool, { schema }),
    leaseMs: 1_000,
    storeRetryAfterMs: 50,
  });
  let failures = 0;

  /** The server: what it cannot say because of the database is a 500, as anywhere. */
  const serve: typeof fetch = async (url, init) => {
    const key = keyIn(new Headers(init?.headers));
    const form = new URL(url as string).pathname.slice(1) as PaymentForm;
    try {
      const charge = chargeOf(key, database);
      return Response.json(await pay({ engine, outbox, key, form, charge }));
    } catch (error) {
      failures++;
      if (!IdempotencyError.is(error)) return new Response('', { status: 500 });
      return Response.json(error, { status: error.httpStatus });
    }
  };
  const send = idempotentFetch({
    fetch: serve,
    maxAttempts: 100,
    baseDelayMs: 20,
    maxDelayMs: 200,
  });

  const effects = async (
    client: Pick<pg.ClientBase, 'query'> = pool,
  ): Promise<Record<string, number>> => {
    const { rows } = await client.query<{ intent: string; count: number }>(
      `select intent, count(*)::int as count
         from (select intent from ${schema}.charges
               union all
               select lane from ${schema}.jobs) as effects
        group by intent`,
    );
    return Object.fromEntries(rows.map(({ intent, count }) => [intent, count]));
  };
  return {
    effects,
    failures: () => failures,
    async pay({ key, form }: { key: IdempotencyKey; form: PaymentForm }): Promise<string> {
      const headers = { 'idempotency-key': formatKeyHeader(key) };
      // Who gives up for now, as when too many attempts fail, asks again under the same key.
      for (;;) {
        const answer = await send(`http://bank.test/${form}`, { method: 'POST', headers }).catch(
          () => undefined,
        );
        if (answer?.ok) return ((await answer.json()) as { value: string }).value;
      }
    },
    /** Answers how many of what was paid before it are there after it. */
    async crash(paid: readonly string[]): Promise<number> {
      await postgres.stopImmediately();
      await postgres.restart();
      // Connections of the pool may not know yet that they are dead.
      const client = new pg.Client(postgres.url);
      await client.connect();
      const there = await effects(client);
      await client.end();
      return paid.filter((key) => there[key] === 1).length;
    },
    async finishJobs(): Promise<void> {
      await finishJobs(database, 'transaction');
      const { rows } = await pool.query<{ lane: string }>(`select lane from ${schema}.jobs`);
      for (const { lane } of rows) expect(await parcelsIn(lane, database)).toEqual([1]);
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

function keyIn(headers: Headers): string {
  const parsed = parseKeyHeader(headers.get('idempotency-key') ?? '');
  return parsed.kind === 'key' ? parsed.key : parsed.kind;
}
