import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { openBank } from './open-bank.ts';
import { paymentWith, rawRequest } from './raw-request.ts';

const key = mintKey();

test.each<[string, readonly string[]]>([
  ['is empty', ['idempotency-key: ']],
  ['is an empty String', ['idempotency-key: ""']],
  ['has one character', ['idempotency-key: "a"']],
  ['has 255 characters', [`idempotency-key: "${'a'.repeat(255)}"`]],
  ['has 256 characters', [`idempotency-key: "${'a'.repeat(256)}"`]],
  ['has 10,000 characters', [`idempotency-key: "${'a'.repeat(10_000)}"`]],
  ['has 20,000 characters', [`idempotency-key: "${'a'.repeat(20_000)}"`]],
  ['comes twice', [`idempotency-key: "${key}"`, `idempotency-key: "${key}"`]],
  ['comes twice, once in capitals', [`Idempotency-Key: ${key}`, `IDEMPOTENCY-KEY: ${key}`]],
  ['is a list', [`idempotency-key: "${key}", "${key}"`]],
  ['is folded over two lines', [`idempotency-key:`, ` "${key}"`]],
  ['contains NUL', [`idempotency-key: "${key.slice(0, 35)}\0"`]],
  ['contains bytes from 0x80', [`idempotency-key: "${key.slice(0, 35)}\xe9"`]],
  ['contains a tab', [`idempotency-key: "${key.slice(0, 35)}\t"`]],
  ['is a UUID v4', ['idempotency-key: "a50e8400-e29b-41d4-a716-446655440000"']],
  ['has a quote that is not closed', [`idempotency-key: "${key}`]],
  ['has something behind it', [`idempotency-key: "${key}" or 1=1`]],
  ['is a sequence of bytes', [`idempotency-key: :${Buffer.from(key).toString('base64')}:`]],
])('S4: a key that %s is refused before the store is asked', async (_, lines) => {
  await using bank = await openBank();
  const { status } = await rawRequest(bank.url, paymentWith(...lines));

  expect([400, 431]).toContain(status);
  expect(bank.ledger).toEqual([]);
  expect(bank.line.calls).toEqual([]);
});

test('S4: a good key is accepted with and without quotes, and is the same key', async () => {
  await using bank = await openBank();
  for (const line of [`"${key}"`, key, `"${key.toUpperCase()}"`, `  "${key}";a=1  `]) {
    const { status } = await rawRequest(bank.url, paymentWith(`idempotency-key: ${line}`));
    expect(status).toBe(200);
  }
  expect(bank.ledger).toHaveLength(1);
});

test('S4: a refusal does not repeat the key', async () => {
  await using bank = await openBank();
  const { text } = await rawRequest(bank.url, paymentWith('idempotency-key: "<script>alert(1)"'));
  expect(text).not.toContain('script');
});
