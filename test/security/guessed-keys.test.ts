import { createKeyMinter, mintKey } from '@onceward/core';
import { idempotencyHeaders, idempotencyLink } from '@onceward/client/trpc';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { expect, test, vi } from 'vitest';
import { openBank } from './open-bank.ts';

test('S19: of a key that was minted in the same millisecond, 62 bits are unpredictable', () => {
  const mint = createKeyMinter({ now: () => 1_800_000_000_000 });
  const keys = Array.from({ length: 4_000 }, () => BigInt(`0x${mint().replaceAll('-', '')}`));
  for (let bit = 0n; bit < 62n; bit++) {
    const ones = keys.filter((key) => (key >> bit) & 1n).length;
    // Seven standard deviations: once in 10^11 runs by chance.
    expect(Math.abs(ones - 2_000)).toBeLessThan(222);
  }
  expect(new Set(keys).size).toBe(keys.length);
});

test('S19: keys come from the cryptographic source of the platform, and Math.random has no part', () => {
  const weak = vi.spyOn(Math, 'random');
  const strong = vi.spyOn(globalThis.crypto, 'getRandomValues');
  mintKey();
  expect(weak).not.toHaveBeenCalled();
  expect(strong).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});

test('S19: a key that somebody guessed and used first poisons nothing', async () => {
  await using bank = await openBank();
  const key = mintKey();
  await bank.send({ user: 'mallory', key, input: { to: 'mallory' } });
  const paid = await bank.send({ user: 'alice', key, input: { to: 'bob' } });

  expect(paid.status).toBe(200);
  expect(bank.ledger.map(({ user }) => user)).toEqual(['mallory', 'alice']);
});

test('S19: a client sends a key in a header alone, never in an address', async () => {
  await using bank = await openBank();
  const addresses: string[] = [];
  const client = createTRPCClient<AnyTRPCRouter>({
    links: [
      idempotencyLink(),
      httpLink({
        url: bank.url,
        headers: idempotencyHeaders({ authorization: 'Bearer alice' }),
        fetch: (url, init) => {
          addresses.push(url instanceof Request ? url.url : String(url));
          return fetch(url, init as RequestInit);
        },
      }),
    ],
  }) as unknown as { pay: { mutate(input: unknown): Promise<unknown> } };
  await client.pay.mutate({ cents: 1 });

  expect(bank.ledger).toHaveLength(1);
  expect(addresses.join()).not.toContain(bank.ledger[0]!.key.slice(0, 8));
});
