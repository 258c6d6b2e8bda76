import { mintKey } from '@onceward/core';
import type { Store } from '@onceward/core/store';
import { createEngine, memoryStore } from '@onceward/server';
import { describe, expect, test } from 'vitest';
import { codeOf, openBank } from './open-bank.ts';

describe('S22: when the store gives no good answer, nothing is executed', () => {
  const garbage: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'OK'],
    ['a word it does not have', { kind: 'granted' }],
    ['a lease without a token', { kind: 'reserved' }],
    ['the name of a builtin', { kind: 'constructor' }],
    ['a completed record without an outcome', { kind: 'completed' }],
    ['a list', []],
  ];

  test.each(garbage)('%s is no "go ahead"', async (_, answer) => {
    await using bank = await openBank({ store: answering(async () => answer) });
    const { status } = await bank.send({ key: mintKey() });

    expect(status).toBeGreaterThanOrEqual(500);
    expect(bank.ledger).toEqual([]);
  });

  test.each(['lost-request', 'hang'] as const)('%s is 503, to be sent again', async (fault) => {
    await using bank = await openBank({ storeTimeoutMs: 50, leaseMs: 100 });
    bank.line.fail('reserve', fault);
    const key = mintKey();
    const refused = await bank.send({ key });

    expect(refused.status).toBe(503);
    expect(codeOf(refused)).toBe('IDEMPOTENCY_STORE_UNAVAILABLE');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(bank.ledger).toEqual([]);
  });

  test('a success that could not be stored is not answered as one, and not executed again', async () => {
    await using bank = await openBank({ storeTimeoutMs: 50, leaseMs: 100 });
    bank.line.fail('complete', 'lost-request');
    const key = mintKey();
    const first = await bank.send({ key });
    const second = await bank.send({ key });

    expect([first.status, second.status]).toEqual([409, 409]);
    expect(codeOf(second)).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
    expect(bank.ledger).toHaveLength(1);
  });
});

test.each([
  { profile: 'none' },
  { keyFormat: 'any' },
  { inProgress: 'ignore' },
  { expired: 'maybe' },
  { leaseMs: Number.NaN },
  { encryption: { keys: [] } },
  { fingerprint: { secrets: [] } },
  { store: {} },
])('S22: an engine does not start with %j', (option) => {
  expect(() => createEngine({ store: memoryStore(), ...(option as object) })).toThrow(TypeError);
});

/** A store that answers every reservation with something. */
function answering(reserve: () => Promise<unknown>): Store {
  const store = memoryStore();
  store.reserve = reserve as Store['reserve'];
  return store;
}
