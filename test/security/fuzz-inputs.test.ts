import { mintKey } from '@onceward/core';
import { createEngine, memoryStore } from '@onceward/server';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mustNotRun } from '../support/must-not-run.ts';
import { jsonTexts } from './json-texts.ts';
import { type Bank, codeOf, openBank } from './open-bank.ts';

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank[Symbol.asyncDispose]());

describe('a body at the edges of JSON', () => {
  test.each(jsonTexts.good)('%j is executed once, and is always the same input', async (body) => {
    const key = mintKey();
    const first = await bank.send({ key, body });
    const again = await bank.send({ key, body: ` ${body} ` });

    expect(first.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test.each(jsonTexts.bad)('%j is 400, and takes no key', async (body) => {
    const before = bank.ledger.length;
    const key = mintKey();
    expect((await bank.send({ key, body })).status).toBe(400);
    expect(bank.ledger).toHaveLength(before);
    // The key is as good as new for the request as it should have been.
    expect((await bank.send({ key, body: '{}' })).headers.get('idempotent-replayed')).toBeNull();
  });

  test.each(jsonTexts.unclear)('%j is refused, or always the same input', async (body) => {
    const before = bank.ledger.length;
    const key = mintKey();
    const first = await bank.send({ key, body });
    const again = await bank.send({ key, body });

    expect([200, 400]).toContain(first.status);
    expect(again.status).toBe(first.status);
    expect(bank.ledger.length - before).toBe(first.status === 200 ? 1 : 0);
  });

  test('no two of the good ones are taken for each other', async () => {
    const meanings = new Map(jsonTexts.good.map((text) => [canonical(text), text]));
    const key = mintKey();
    const [first = '', ...others] = meanings.values();
    await bank.send({ key, body: first });
    for (const body of others) {
      expect(codeOf(await bank.send({ key, body }))).toBe('IDEMPOTENCY_KEY_REUSED');
    }
  });
});

test('of any two inputs, one is taken for the other exactly if they mean the same', async () => {
  const engine = createEngine({ store: memoryStore(), acceptLoss: true });
  const pay = engine.mutation({ operation: 'pay', effect: 'external' });
  const inputs = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
  const outcome = async (intent: Parameters<typeof pay.runOnce>[0]) => {
    try {
      return (await pay.runOnce(intent, mustNotRun)).replayed ? 'replayed' : 'executed';
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  await fc.assert(
    fc.asyncProperty(inputs, inputs, async (one, other) => {
      const intent = { scope: 'alice', key: mintKey() };
      try {
        await pay.runOnce({ ...intent, input: one }, () => 'paid');
      } catch (error) {
        expect(error).toMatchObject({ code: 'IDEMPOTENCY_INPUT_INVALID' });
        return;
      }
      const shuffled = JSON.parse(JSON.stringify(reversed(one))) as unknown;
      expect(await outcome({ ...intent, input: shuffled })).toBe('replayed');
      const expected = meaning(one) === meaning(other) ? 'replayed' : 'IDEMPOTENCY_KEY_REUSED';
      expect([expected, 'IDEMPOTENCY_INPUT_INVALID']).toContain(
        await outcome({ ...intent, input: other }),
      );
    }),
    { numRuns: 1_000 },
  );
});

/** A text by which equal values are equal, made in another way than the kit does. */
function meaning(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(meaning).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  const members = Object.entries(value).map(([name, member]) => [name, meaning(member)]);
  return `{${members
    .map((member) => member.join(':'))
    .sort()
    .join()}}`;
}

function canonical(text: string): string {
  return meaning(JSON.parse(text));
}

/** The same value with the members of every object the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
