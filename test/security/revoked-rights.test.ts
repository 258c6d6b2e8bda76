import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { openYoga, payment } from '../../packages/server/test/yoga-fixture.ts';
import { openBank } from './open-bank.ts';

test('S10: who has lost the right to a mutation gets no old answer of it', async () => {
  await using bank = await openBank();
  bank.handle = () => ({ balance: 'canary' });
  const key = mintKey();
  await bank.send({ key });
  bank.allowed.delete('alice');
  bank.line.calls.length = 0;
  const denied = await bank.send({ key });

  expect(denied.status).toBe(403);
  expect(denied.text).not.toContain('canary');
  // The key was not even looked up.
  expect(bank.line.calls).toEqual([]);
  expect(bank.ledger).toHaveLength(1);
});

test('S10: neither does who has signed out, nor a colleague who knows the key', async () => {
  await using bank = await openBank();
  bank.handle = ({ user }) => ({ balance: `canary of ${user}` });
  const key = mintKey();
  await bank.send({ key });

  expect((await bank.send({ user: null, key })).status).toBe(401);
  expect((await bank.send({ user: 'bob', key })).text).not.toContain('canary of alice');
});

test('S10: Yoga asks its other plugins before it replays, wherever they stand', async () => {
  let revoked = false;
  const rights = {
    onExecute() {
      if (revoked) throw new Error('forbidden');
    },
  };
  for (const rightsFirst of [true, false]) {
    revoked = false;
    const { send, effects } = openYoga({
      mutations: { pay: () => ({ id: 'canary' }) },
      plugins: (idempotency) => (rightsFirst ? [rights, idempotency] : [idempotency, rights]),
    });
    const key = mintKey();
    await send(payment, { key });
    revoked = true;
    const denied = await send(payment, { key });

    expect(denied.text).not.toContain('canary');
    expect(effects).toEqual(['pay']);
  }
});
