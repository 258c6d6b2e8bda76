import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { openYoga, payment } from '../../packages/server/test/yoga-fixture.ts';
import { openBank } from './open-bank.ts';

const markers = {
  'idempotent-replayed': 'true',
  'idempotency-expires': new Date(0).toUTCString(),
  'x-hit': 'true',
  'x-cache': 'HIT',
  'x-idempotency-status': 'completed',
};

test('S20: what a request says about replays is not believed', async () => {
  await using bank = await openBank();
  const key = mintKey();
  const first = await bank.send({ key, headers: markers });
  const again = await bank.send({ key, headers: { ...markers, 'idempotent-replayed': 'false' } });

  expect(bank.ledger).toHaveLength(1);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.text).toBe(first.text);
});

test('S20: what an input says about replays, scopes and attempts is input', async () => {
  await using bank = await openBank();
  const spoofed = {
    replayed: true,
    scope: 'bob',
    idempotency: { replayed: true, scope: 'bob', attempt: 9 },
    middlewareMarker: 'middlewareMarker',
  };
  const answer = await bank.send({ key: mintKey(), input: spoofed });

  expect(answer.status).toBe(200);
  expect(bank.ledger).toMatchObject([{ user: 'alice', input: spoofed }]);
});

test('S20: a key inside an input is refused where no one takes keys out of inputs', async () => {
  await using bank = await openBank();
  const input = { $idempotency: mintKey(), input: { cents: 1 } };
  const answer = await bank.send({ key: mintKey(), input });

  expect(answer.status).toBe(500);
  expect(bank.ledger).toEqual([]);
});

test('S20: the extensions of a GraphQL request name a key, and nothing else', async () => {
  const { send, effects } = openYoga();
  const extensions = { idempotency: { replayed: true }, idempotencyKey: mintKey(), scope: 'bob' };
  const first = await send({ ...payment, extensions }, { user: 'alice' });
  const other = await send({ ...payment, extensions }, { user: 'bob' });

  expect(effects).toEqual(['pay', 'pay']);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(other.headers.get('idempotent-replayed')).toBeNull();
});
