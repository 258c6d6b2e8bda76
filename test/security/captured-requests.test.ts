import { createKeyMinter } from '@onceward/core';
import { memoryStore } from '@onceward/server';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { codeOf, openBank } from './open-bank.ts';

const day = 86_400_000;

test('S26: a request that was captured is never executed again, however late it is sent', async () => {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const store = memoryStore({ now: () => clock.now() });
  await using bank = await openBank({ store, clock });
  const captured = { key: createKeyMinter({ now: () => clock.now() })() };
  await bank.send(captured);

  const answers: (string | number | undefined)[] = [];
  for (const days of [0.5, 2, 8, 30, 3_650]) {
    clock.jump(days * day);
    await store.prune({ limit: 1_000 });
    const answer = await bank.send(captured);
    answers.push(codeOf(answer) ?? answer.status);
  }

  expect(answers).toEqual([
    200,
    'IDEMPOTENCY_RESPONSE_UNAVAILABLE',
    'IDEMPOTENCY_KEY_EXPIRED',
    'IDEMPOTENCY_KEY_EXPIRED',
    'IDEMPOTENCY_KEY_EXPIRED',
  ]);
  expect(bank.ledger).toHaveLength(1);
  expect((await store.stats()).records.completed).toBe(0);
});

test('S26: a key from the future, which would outlive its record, is refused', async () => {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  await using bank = await openBank({ clock, store: memoryStore({ now: () => clock.now() }) });
  const ahead = (ms: number) => createKeyMinter({ now: () => clock.now() + ms })();

  expect(codeOf(await bank.send({ key: ahead(301_000) }))).toBe('IDEMPOTENCY_KEY_FUTURE');
  expect((await bank.send({ key: ahead(299_000) })).status).toBe(200);
  expect(bank.ledger).toHaveLength(1);
});
