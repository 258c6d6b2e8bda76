import { mintKey } from '@onceward/core';
import { postgresOperator } from '@onceward/postgres';
import { createEngine, type Evidence, type Mutation } from '@onceward/server';
import { describe, expect, test } from 'vitest';
import { mustNotRun } from '../support/must-not-run.ts';
import { openPostgres } from '../support/open-postgres.ts';
import { openStore, storeNames } from './open-store.ts';

const executed: Evidence = { kind: 'executed', value: 'forged' };

describe.each(storeNames)('S28: evidence that proves nothing, on %s', (name) => {
  test('about what is completed, in progress or absent changes nothing', async () => {
    await using opened = await openStore(name);
    const pay = declarePay(opened.store);
    const completed = { scope: 'alice', key: mintKey() };
    await pay.runOnce(completed, () => 'paid');

    expect(await pay.settle(completed, executed)).toBe('not-unknown');
    expect(await pay.settle({ scope: 'alice', key: mintKey() }, executed)).toBe('not-unknown');
    expect((await pay.runOnce(completed, mustNotRun)).value).toBe('paid');
    const running = { scope: 'alice', key: mintKey() };
    const { value } = await pay.runOnce(running, async () => {
      expect(await pay.settle(running, executed)).toBe('not-unknown');
      expect(await pay.settle(running, { kind: 'not-executed', quietMs: 1 })).toBe('not-unknown');
      return 'mine';
    });
    expect(value).toBe('mine');
  });

  test('about another user, or another attempt, settles nothing', async () => {
    await using opened = await openStore(name);
    const pay = declarePay(opened.store);
    const intent = { scope: 'alice', key: mintKey() };
    await pay.runOnce(intent, fails).catch(() => undefined);

    expect(await pay.settle({ ...intent, scope: 'mallory' }, executed)).toBe('not-unknown');
    expect(await pay.settle(intent, { ...executed, attempt: 2 })).toBe('not-unknown');
    expect(await pay.status(intent)).toBe('unknown');
  });

  test('that nothing happened comes too soon while something may still be under way', async () => {
    await using opened = await openStore(name);
    const pay = declarePay(opened.store);
    const intent = { scope: 'alice', key: mintKey() };
    await pay.runOnce(intent, fails).catch(() => undefined);

    const tooSoon: Evidence = { kind: 'not-executed', quietMs: 600_000 };
    expect(await pay.settle(intent, tooSoon)).toBe('too-soon');
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
  });

  test('that is good settles once: what comes after it changes nothing', async () => {
    await using opened = await openStore(name);
    const pay = declarePay(opened.store);
    const intent = { scope: 'alice', key: mintKey() };
    await pay.runOnce(intent, fails).catch(() => undefined);

    expect(await pay.settle(intent, { kind: 'executed', value: 'paid' })).toBe('settled');
    expect(await pay.settle(intent, executed)).toBe('not-unknown');
    expect((await pay.runOnce(intent, mustNotRun)).value).toBe('paid');
  });
});

test('S28: PostgreSQL keeps who settled what, and on which evidence', async () => {
  await using database = await openPostgres();
  const pay = declarePay(database.store());
  const intent = { scope: 'alice', key: mintKey() };
  await pay.runOnce(intent, fails).catch(() => undefined);
  const audit = { actor: 'webhook', evidence: { event: 'evt_1', signature: 'verified' } };
  await pay.settle(intent, { kind: 'executed', value: 'paid', audit });
  const { entries } = await postgresOperator(database.pool, database).audit({ limit: 10 });

  expect(entries).toMatchObject([{ actor: 'webhook', evidence: audit.evidence }]);
});

function declarePay(
  store: Parameters<typeof createEngine>[0]['store'],
): Mutation<'external', never> {
  return createEngine({ store, acceptLoss: true }).mutation({
    operation: 'pay',
    effect: 'external',
  }) as Mutation<'external', never>;
}

function fails(): never {
  throw new Error('the provider did not answer');
}
