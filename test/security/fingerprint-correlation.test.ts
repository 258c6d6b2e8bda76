import { mintKey } from '@onceward/core';
import { createEngine, type FingerprintOptions, memoryStore } from '@onceward/server';
import { expect, test } from 'vitest';
import { mustNotRun } from '../support/must-not-run.ts';

const secrets = [{ id: 1, secret: 'a secret of more than sixteen bytes' }];

test('S14: equal inputs of two tenants have fingerprints that nobody can relate', async () => {
  const digests = new Set([
    await digestOf('alice', { card: 1 }),
    await digestOf('bob', { card: 1 }),
    await digestOf('alice', { card: 2 }),
  ]);
  expect(digests.size).toBe(3);
  // 256 bits, none cut off.
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
});

test('S14: with a secret, who reads the table cannot test a guess of an input', async () => {
  const guess = await digestOf('alice', { card: 1 });
  const wrongSecret = [{ id: 1, secret: 'another secret, as long as that one' }];

  expect(await digestOf('alice', { card: 1 }, { secrets })).not.toBe(guess);
  expect(await digestOf('alice', { card: 1 }, { secrets })).not.toBe(
    await digestOf('alice', { card: 1 }, { secrets: wrongSecret }),
  );
});

test('S14: a record remembers how its fingerprint was made, so that a new secret breaks no retry', async () => {
  const store = memoryStore();
  const key = mintKey();
  const intent = { scope: 'alice', key, input: { card: 1 } };
  const options = { operation: 'pay', effect: 'external' } as const;
  await createEngine({ store, acceptLoss: true })
    .mutation(options)
    .runOnce(intent, () => 'paid');
  const rotated = createEngine({ store, acceptLoss: true, fingerprint: { secrets } });

  expect((await rotated.mutation(options).runOnce(intent, mustNotRun)).replayed).toBe(true);
  const other = rotated.mutation(options).runOnce({ ...intent, input: { card: 2 } }, mustNotRun);
  await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

/** What a store is given to keep. */
async function digestOf(
  scope: string,
  input: unknown,
  fingerprint: FingerprintOptions = {},
): Promise<string> {
  const store = memoryStore();
  let digest = '';
  const reserve = store.reserve.bind(store);
  store.reserve = (request) => {
    digest = Buffer.from(request.fingerprint.digest).toString('hex');
    return reserve(request);
  };
  const pay = createEngine({ store, acceptLoss: true, fingerprint }).mutation({
    operation: 'pay',
    effect: 'external',
  });
  await pay.runOnce({ scope, key: mintKey(), input }, () => 1);
  return digest;
}
