import { randomBytes } from 'node:crypto';
import { mintKey } from '@onceward/core';
import { migrate, postgresOperator, postgresStore } from '@onceward/postgres';
import { createEngine, createMaintenance, createReconciler, type Finding } from '@onceward/server';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { mustNotRun } from '../support/must-not-run.ts';

const schema = `test_${randomBytes(8).toString('hex')}`;
const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 8 });
beforeAll(() => migrate(pool, { schema }));
afterAll(async () => {
  await pool.query(`drop schema ${schema} cascade`);
  await pool.end();
});

const store = postgresStore(pool, { schema });
const operator = postgresOperator(pool, { schema });

/** A provider that charges, and may not get to say so. It can be asked by our reference. */
function openProvider() {
  const charges = new Map<string, number>();
  let asked = 0;
  return {
    asked: () => asked,
    charges,
    charge(reference: string): never {
      charges.set(reference, (charges.get(reference) ?? 0) + 1);
      throw new Error('socket hang up');
    },
    async find(reference: string): Promise<Finding> {
      asked++;
      return charges.has(reference)
        ? { kind: 'executed', value: { reference }, audit: { evidence: { found: true } } }
        : { kind: 'not-executed', quietMs: 0 };
    },
  };
}

test('several servers find out what became of each payment, one look each, and all is audited', async () => {
  const provider = openProvider();
  const pay = createEngine({ store }).mutation({
    operation: 'pay',
    effect: 'external',
    resolve: ({ key }) => provider.find(key),
  });
  const intents = Array.from({ length: 40 }, () => ({ scope: 'alice', key: mintKey() }));
  const [charged, lost] = [intents.slice(0, 20), intents.slice(20)];
  for (const intent of charged) {
    const paying = pay.runOnce(intent, ({ key }) => provider.charge(key));
    await expect(paying).rejects.toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });
  }
  for (const intent of lost) {
    const paying = pay.runOnce(intent, () => Promise.reject(new Error('connect ECONNREFUSED')));
    await expect(paying).rejects.toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });
  }

  const servers = Array.from({ length: 4 }, (_, index) =>
    createReconciler({ store, mutations: [pay], actor: `server-${index}` }),
  );
  const reports = await Promise.all(servers.map((server) => server.run()));
  expect(reports.reduce((sum, { settled }) => sum + settled, 0)).toBe(40);
  expect(provider.asked()).toBe(40);
  expect(await operator.lookups()).toEqual([]);

  for (const intent of charged) {
    const { key } = intent;
    expect(await pay.runOnce(intent, mustNotRun)).toMatchObject({ value: { reference: key } });
  }
  for (const intent of lost) {
    expect(await pay.runOnce(intent, () => 'paid now')).toMatchObject({ value: 'paid now' });
  }
  expect([...provider.charges.values()]).toEqual(Array(20).fill(1));
  const { entries } = await operator.audit({ limit: 100 });
  expect(entries).toHaveLength(40);
  expect(entries.map(({ actor }) => actor)).toEqual(
    entries.map(() => expect.stringMatching(/^server-\d$/)),
  );
});

test('what no provider can tell is on the dead list, until a person settles it', async () => {
  const pay = createEngine({ store }).mutation({
    operation: 'wire-transfer',
    effect: 'external',
    resolve: () => ({ kind: 'unsure' }),
  });
  const intent = { scope: 'bob', key: mintKey() };
  const paying = pay.runOnce(intent, () => Promise.reject(new Error('timeout')));
  await expect(paying).rejects.toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });

  const reconciler = createReconciler({ store, mutations: [pay], maxLooks: 1 });
  expect(await reconciler.run()).toMatchObject({ dead: 1 });
  expect(await operator.lookups({ state: 'dead' })).toMatchObject([{ key: intent.key, looks: 1 }]);
  await createMaintenance({ store }).sweep();
  await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
  });

  const audit = { actor: 'carol', evidence: { statement: '2025-06-01, line 7' } };
  await pay.settle(intent, { kind: 'executed', value: 'seen on the statement', audit });
  expect(await pay.runOnce(intent, mustNotRun)).toMatchObject({ value: 'seen on the statement' });
  expect(await operator.lookups()).toEqual([]);
  expect((await operator.audit({ limit: 1 })).entries).toMatchObject([audit]);
});
