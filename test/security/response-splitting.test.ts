import { mintKey } from '@onceward/core';
import { memoryStore } from '@onceward/server';
import { expect, test } from 'vitest';
import { openYoga, payment } from '../../packages/server/test/yoga-fixture.ts';
import { openBank } from './open-bank.ts';

const splitting = 'a\r\nset-cookie: session=canary\r\n\r\n<script>';

test.each([
  ['as data', { data: { pay: { id: splitting } } }],
  ['as a header', { data: null, extensions: { http: { headers: { 'x-a': splitting } } } }],
  [
    'as a header of an error',
    { errors: [{ message: 'a', extensions: { http: { headers: { 'set-cookie': splitting } } } }] },
  ],
  ['as a status', { data: null, extensions: { http: { status: splitting } } }],
])(
  'S15: a stored answer that was changed to split responses, %s, splits none',
  async (_, forged) => {
    const store = memoryStore();
    const { yoga, effects } = openYoga({ store });
    const key = mintKey();
    const request = () =>
      yoga.fetch('http://localhost/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(payment),
      });
    await request();
    forgeAnswers(store, Buffer.from(`\x01\x00\x01${JSON.stringify(forged)}`));
    const response = await request();

    expect(response.headers.get('set-cookie')).toBeNull();
    expect([...response.headers].join()).not.toContain('canary');
    expect(effects).toEqual(['pay']);
  },
);

test('S15: a key and a name of an operation come back in no header', async () => {
  await using bank = await openBank({ keyFormat: 'opaque', keyRetentionMs: Infinity });
  const key = 'a-key-of-the-client-canary';
  const first = await bank.send({ headers: { 'idempotency-key': `"${key}"` } });
  const again = await bank.send({ headers: { 'idempotency-key': `"${key}"` } });
  const unknown = await bank.send({ operation: 'canary%0d%0aset-cookie:a=b', key: mintKey() });

  expect([first.status, again.status]).toEqual([200, 200]);
  for (const { headers } of [first, again, unknown]) {
    expect([...headers].join()).not.toContain('canary');
    expect(headers.get('set-cookie')).toBeNull();
  }
});

/** Changes what is stored, as somebody could who can write to the database. */
function forgeAnswers(store: ReturnType<typeof memoryStore>, answer: Uint8Array): void {
  const reserve = store.reserve.bind(store);
  store.reserve = async (request) => {
    const reservation = await reserve(request);
    if (reservation.kind !== 'completed') return reservation;
    return { ...reservation, outcome: { kind: 'success', answer } };
  };
}
