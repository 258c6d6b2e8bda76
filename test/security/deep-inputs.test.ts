import { mintKey } from '@onceward/core';
import { createEngine, memoryStore } from '@onceward/server';
import { describe, expect, test } from 'vitest';
import { mustNotRun } from '../support/must-not-run.ts';
import { codeOf, openBank } from './open-bank.ts';

describe('S7: an input that is made to be expensive', () => {
  test.each([65, 1_000, 5_000, 100_000])('%d levels of nesting are 400, not 500', async (depth) => {
    await using bank = await openBank();
    const body = '['.repeat(depth) + ']'.repeat(depth);
    const answer = await bank.send({ key: mintKey(), body });

    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toBe('IDEMPOTENCY_INPUT_INVALID');
    expect(bank.ledger).toEqual([]);
    expect(bank.line.calls).toEqual([]);
  });

  test('64 levels are accepted', async () => {
    await using bank = await openBank();
    const answer = await bank.send({ key: mintKey(), body: '['.repeat(64) + ']'.repeat(64) });
    expect(answer.status).toBe(200);
  });

  test('a million levels are refused after the 65th, however they are nested', async () => {
    const pay = createEngine({ store: memoryStore(), acceptLoss: true }).mutation({
      operation: 'pay',
      effect: 'external',
    });
    const nestings: ((inner: unknown) => unknown)[] = [(inner) => [inner], (a) => ({ a })];
    for (const nest of nestings) {
      let input: unknown = 1;
      for (let level = 0; level < 1_000_000; level++) input = nest(input);
      const running = pay.runOnce({ scope: 'alice', key: mintKey(), input }, mustNotRun);
      await expect(running).rejects.toMatchObject({ code: 'IDEMPOTENCY_INPUT_INVALID' });
    }
  });

  test('more values than anybody sends are refused, and a hundred thousand are not', async () => {
    await using bank = await openBank({ maxBodySize: 10_000_000 });
    const many = await bank.send({ key: mintKey(), body: `[${'1,'.repeat(99_999)}1]` });
    const tooMany = await bank.send({ key: mintKey(), body: `[${'1,'.repeat(1_000_000)}1]` });

    expect(many.status).toBe(200);
    expect(tooMany.status).toBe(400);
    expect(bank.ledger).toHaveLength(1);
  });
});
