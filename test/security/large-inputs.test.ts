import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { openBank } from './open-bank.ts';

test('S5: a body beyond the limit of the server is 413 before it is fingerprinted', async () => {
  await using bank = await openBank({ maxBodySize: 10_000 });
  const answer = await bank.send({ key: mintKey(), input: { note: 'a'.repeat(20_000) } });

  expect(answer.status).toBe(413);
  expect(bank.line.calls).toEqual([]);
  expect(bank.ledger).toEqual([]);
});

test('S5: a stream without end is cut off at the limit, and no lease is taken for it', async () => {
  await using bank = await openBank({ maxBodySize: 10_000 });
  let chunks = 0;
  const endless = new ReadableStream({
    pull(controller) {
      chunks++;
      controller.enqueue(Buffer.alloc(1_000, 'a'));
    },
  });
  const sending = fetch(`${bank.url}/pay`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer alice',
      'idempotency-key': mintKey(),
    },
    body: endless,
    duplex: 'half',
  } as RequestInit);
  const status = await sending.then(
    (response) => response.status,
    () => 'connection closed',
  );

  expect([413, 'connection closed']).toContain(status);
  expect(chunks).toBeLessThan(10_000);
  expect(bank.line.calls).toEqual([]);
});

test('S5: of a large input that is allowed, 32 bytes are stored', async () => {
  await using bank = await openBank();
  let stored = 0;
  const { store } = bank.line;
  const reserve = store.reserve.bind(store);
  bank.line.store.reserve = (request) => {
    stored = request.fingerprint.digest.length;
    return reserve(request);
  };
  const answer = await bank.send({ key: mintKey(), input: { note: 'a'.repeat(900_000) } });

  expect(answer.status).toBe(200);
  expect(stored).toBe(32);
});
