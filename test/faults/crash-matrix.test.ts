import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IdempotencyError, mintKey } from '@onceward/core';
import { postgresOutbox } from '@onceward/postgres/outbox';
import { createEngine, createMaintenance } from '@onceward/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bundleProgram, killNow, type Program, said } from '../support/node-process.ts';
import { openPostgres, type PostgresFixture } from '../support/open-postgres.ts';
import { openWire } from '../support/postgres-wire.ts';
import { chargeOf, createCharges } from './charges.ts';
import {
  type Aftermath,
  crashesOf,
  type CrashPlace,
  crashPoints,
  matrixAsMarkdown,
  relayCrashes,
  serverCrashes,
  type ServerPlace,
} from './crash-matrix.ts';
import { finishJobs, openOffice, parcelsIn } from './open-office.ts';
import { createParcels, parcelTasks } from './parcels.ts';
import { intentOf, pay, type PaymentForm } from './payment.ts';
import { holdAt, isWirePlace } from './wire-places.ts';

/**
 * A process is killed with -9 at a named place; another one comes after it. What it does follows
 * from the effect alone, and in the end every effect is there once.
 */
const leaseMs = 400;
let servers: Program;
let relays: Program;
let database: PostgresFixture;
beforeAll(async () => {
  servers = await bundleProgram(join(import.meta.dirname, 'payer-process.ts'));
  relays = await bundleProgram(join(import.meta.dirname, 'relay-process.ts'));
  database = await openPostgres();
  await createCharges(database.pool, database.schema);
  await createParcels(database.pool, database.schema);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  for (const program of [servers, relays]) program[Symbol.dispose]();
});

test('the matrix in docs/crashes.md is the one that is tested', () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/crashes.md'), 'utf8');
  const plain = (text: string) => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
  expect(plain(document)).toContain(plain(matrixAsMarkdown()));
  for (const [point, where] of Object.entries(crashPoints)) {
    expect(plain(document)).toContain(`| ${point} | ${where} |`);
  }
});

describe('kill -9 of a server', () => {
  for (const { form, point, at, then } of crashesOf(serverCrashes)) {
    test.concurrent(`${form}, ${point}, ${at}: the next attempt ${words[then]}`, async () => {
      // Of the one, another attempt is the first to hear; of the other, a sweep.
      const [retried, swept] = await dieAt(at, form);
      await Promise.all([
        expectAftermath(then, { key: retried, form, at }),
        sweepAfterLease(swept).then(() => expectAftermath(then, { key: swept, form, at })),
      ]);
    });
  }

  test('natural: executes again', async () => {
    const [key] = await dieAt('before-complete', 'natural');
    expect(await retry(key, 'natural')).toMatchObject({ replayed: false, charged: 1 });
    expect(await effects(key, 'natural')).toBe(2);
  });
});

describe('kill -9 of a relay', () => {
  for (const { form, point, at, then } of crashesOf(relayCrashes)) {
    test.concurrent(`${form}, ${point}, ${at}: another relay ${jobWords[then]}`, async () => {
      await using office = await openOffice(form, relays);
      await office.ship('a', 1);
      await office.ship('a', 2);
      await office.dieAt(at);
      expect(await office.parcels('a')).toEqual(then === 'executes' ? [] : [1]);
      await office.finish();
      // What is called again is called under the same key, so that the other side has it once.
      expect(await office.parcels('a')).toEqual(then === 'repeats' ? [1, 1, 2] : [1, 2]);
      expect(await office.keys()).toBe(2);
    });
  }
});

const words: Record<Aftermath, string> = {
  executes: 'executes',
  resumes: 'resumes after the effect',
  repeats: 'repeats the call under its key',
  replays: 'replays',
  unknown: 'is refused until there is evidence',
};

const jobWords: Record<Aftermath, string> = {
  ...words,
  executes: 'runs it',
  repeats: 'runs it again under its key',
  replays: 'finds it done',
};

interface Crashed {
  readonly key: string;
  readonly form: PaymentForm;
  readonly at: CrashPlace;
}

async function expectAftermath(then: Aftermath, { key, form, at }: Crashed): Promise<void> {
  const tookEffect = await effects(key, form);
  switch (then) {
    case 'executes':
      expect(tookEffect).toBe(0);
      expect(await retry(key, form)).toMatchObject({ replayed: false });
      break;
    case 'resumes':
    case 'repeats':
      expect(tookEffect).toBe(1);
      expect(await retry(key, form)).toMatchObject({
        replayed: false,
        charged: then === 'repeats' ? 1 : 0,
      });
      break;
    case 'replays':
      expect(tookEffect).toBe(1);
      break;
    case 'unknown':
      expect(tookEffect).toBe(beforeEffect.has(at) ? 0 : 1);
      await expectOnlyEvidenceSettles(key, tookEffect === 1);
      expect(await retry(key, form)).toMatchObject({ replayed: tookEffect === 1 });
      break;
  }
  expect(await retry(key, form)).toMatchObject({ value: 'paid', replayed: true, charged: 0 });
  expect(await effects(key, form)).toBe(1);
  if (form !== 'staged') return;
  await finishJobs(database, 'transaction');
  expect(await parcelsIn(key, database)).toEqual([1]);
}

const beforeEffect = new Set<CrashPlace>(['reserve-unanswered', 'after-reserve', 'before-execute']);

/** Neither attempts nor time nor sweeps decide what nobody knows. */
async function expectOnlyEvidenceSettles(key: string, charged: boolean): Promise<void> {
  const refusal = { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' };
  const payment = paymentsOf().mutation({ operation: 'pay', effect: 'external' });
  const before = await effects(key, 'external');
  await expect(retry(key, 'external')).rejects.toMatchObject(refusal);
  const tooSoon = { kind: 'not-executed', quietMs: 60_000 } as const;
  expect(await payment.settle(intentOf(key), tooSoon)).toBe('too-soon');
  await createMaintenance({ store: database.store() }).sweep();
  await expect(retry(key, 'external')).rejects.toMatchObject(refusal);
  expect(await effects(key, 'external')).toBe(before);

  const evidence = charged
    ? ({ kind: 'executed', value: 'paid' } as const)
    : ({ kind: 'not-executed', quietMs: 1 } as const);
  expect(await payment.settle(intentOf(key), evidence)).toBe('settled');
}

/** Runs two intents in a process of its own, and kills it when both are at the place. */
async function dieAt(at: ServerPlace, form: PaymentForm): Promise<[string, string]> {
  const keys: [string, string] = [mintKey(), mintKey()];
  const { url, schema } = database;
  if (!isWirePlace(at)) {
    const child = servers.start({ url, schema, keys, form, hangAt: at, leaseMs });
    await said(child, at, keys.length);
    await killNow(child);
    return keys;
  }
  await using wire = await openWire(url);
  const held = holdAt(at, wire, keys.length);
  const child = servers.start({ url: wire.url, schema, keys, form, leaseMs });
  await held;
  await killNow(child);
  return keys;
}

/** Delivers the intent to another server, which is asked again while it says "in progress". */
async function retry(key: string, form: PaymentForm) {
  const { pool, schema } = database;
  const outbox = postgresOutbox(pool, { tasks: parcelTasks, schema });
  let charged = 0;
  const through = chargeOf(key, database);
  const charge: typeof through = (how) => {
    charged++;
    return through(how);
  };
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      return { ...(await pay({ engine: paymentsOf(), outbox, key, form, charge })), charged };
    } catch (error) {
      const waits = IdempotencyError.is(error) && error.code === 'IDEMPOTENCY_IN_PROGRESS';
      if (!waits || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.details.retryAfterMs));
    }
  }
}

function paymentsOf() {
  return createEngine({ store: database.store(), leaseMs });
}

/** After its lease, one sweep is enough: nothing is in progress then. */
async function sweepAfterLease(key: string): Promise<void> {
  const payment = paymentsOf().mutation({ operation: 'pay', effect: 'external' });
  const sweeper = createMaintenance({ store: database.store() });
  await new Promise((resolve) => setTimeout(resolve, leaseMs + 20));
  await sweeper.sweep();
  // A sweep leaves alone what another one is just at: those of other tests run beside it.
  await vi.waitFor(async () => expect(await payment.status(intentOf(key))).not.toBe('in-progress'));
}

/** How often it took effect; of a payment with a job, how many jobs there are. */
async function effects(key: string, form: PaymentForm): Promise<number> {
  const { pool, schema } = database;
  const { rows } = await pool.query<{ count: number }>(
    form === 'staged'
      ? `select count(*)::int as count from ${schema}.jobs where lane = $1`
      : `select count(*)::int as count from ${schema}.charges where intent = $1`,
    [key],
  );
  return rows[0]?.count ?? 0;
}
