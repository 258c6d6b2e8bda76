import { randomBytes } from 'node:crypto';
import { IdempotencyError, mintKey } from '@onceward/core';
import { migrate, postgresOperator, postgresStore } from '@onceward/postgres';
import { createEngine, createMaintenance, type Mutation } from '@onceward/server';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { mustNotRun } from '../support/must-not-run.ts';

const schema = `test_${randomBytes(8).toString('hex')}`;
const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 4 });
const keyRetentionMs = 1_500;
const maxClockSkewMs = 100;

beforeAll(async () => {
  // A day is a tenth of a second here, and a week a second and a half.
  const partitions = { widthMs: 100, horizonMs: keyRetentionMs + maxClockSkewMs };
  await migrate(pool, { schema, partitions });
});
afterAll(async () => {
  await pool.query(`drop schema ${schema} cascade`);
  await pool.end();
});

const store = postgresStore(pool, { schema });
const operator = postgresOperator(pool, { schema });
const maintenance = createMaintenance({ store });
const retention = { answerRetentionMs: 300, keyRetentionMs, maxClockSkewMs };
const engine = createEngine({ store, ...retention });
const intent = () => ({ scope: 'alice', key: mintKey() });
const patience = { timeout: 20_000, interval: 50 };

describe('a key on its way out', () => {
  test('is answered, then known to have taken effect, then refused, and never executed again', async () => {
    const pay = engine.mutation({ operation: 'pay', effect: 'external' });
    const paid = intent();
    await pay.runOnce(paid, () => 'receipt 1');
    expect(await pay.runOnce(paid, mustNotRun)).toMatchObject({ value: 'receipt 1' });

    const seen: unknown[] = [];
    const deliver = async () => {
      await maintenance.prune();
      const code = await refusalOf(pay, paid);
      if (seen.at(-1) !== code) seen.push(code);
      return code;
    };
    const expired = 'IDEMPOTENCY_KEY_EXPIRED 410';
    await expect.poll(deliver, patience).toBe(expired);
    const unavailable = 'IDEMPOTENCY_RESPONSE_UNAVAILABLE 410';
    expect(seen.filter(Boolean)).toEqual([unavailable, expired]);
    expect((await operator.list({ scope: paid.scope })).records).toEqual([]);
  });

  test('whose outcome is unknown is kept until evidence settles it', async () => {
    const pay = engine.mutation({ operation: 'pay', effect: 'external' });
    const lost = intent();
    const failing = pay.runOnce(lost, () => Promise.reject(new Error('connection reset')));
    await expect(failing).rejects.toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });

    const isKept = async () => {
      await maintenance.prune();
      const { records } = await operator.list({ state: 'unknown' });
      return (await operator.show(records[0]!))?.table;
    };
    await expect.poll(isKept, patience).toBe('records');
    expect(await refusalOf(pay, lost)).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN 409');

    const audit = { actor: 'ada', evidence: { charge: 'ch_1' } };
    const evidence = { kind: 'executed', value: 'receipt 2', audit } as const;
    expect(await pay.settle(lost, evidence)).toBe('settled');
    expect(await pay.runOnce(lost, mustNotRun)).toMatchObject({ value: 'receipt 2' });
    expect((await operator.audit()).entries).toMatchObject([audit]);
  });
});

/** Why a delivery is refused; `undefined` when it is answered. */
async function refusalOf(
  mutation: Mutation<'external', pg.PoolClient>,
  delivered: ReturnType<typeof intent>,
): Promise<string | undefined> {
  try {
    await mutation.runOnce(delivered, mustNotRun);
    return undefined;
  } catch (error) {
    if (!IdempotencyError.is(error)) throw error;
    return `${error.code} ${error.httpStatus}`;
  }
}
