import { once } from 'node:events';
import { connect } from 'node:net';
import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { openEngine } from '../support/engine-fixture.ts';
import { codeOf, openBank } from './open-bank.ts';

test('S18: who holds as many leases as a user may gets no more, and everybody else does', async () => {
  await using bank = await openBank({ quota: { maxInProgress: 5 } });
  const hanging = deferred<string>();
  const entered = deferred();
  bank.handle = ({ user }) => {
    if (user !== 'mallory') return 'paid';
    if (bank.ledger.length === 5) entered.resolve();
    return hanging.promise;
  };
  const sent = Array.from({ length: 20 }, () => bank.send({ user: 'mallory', key: mintKey() }));
  await entered.promise;
  const paid = await bank.send({ user: 'alice', key: mintKey() });

  expect(paid.status).toBe(200);
  hanging.resolve('done');
  const answers = await Promise.all(sent);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(codeOf))).toEqual(new Set(['IDEMPOTENCY_QUOTA_EXCEEDED']));
});

test('S18: a body that never ends holds no lease', async () => {
  await using bank = await openBank();
  const socket = connect(Number(new URL(bank.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = [
    'POST /pay HTTP/1.1',
    'host: bank.test',
    'authorization: Bearer mallory',
    'content-type: application/json',
    'content-length: 1000',
    `idempotency-key: "${mintKey()}"`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{"cents":`);
  // By then the server has read what was sent before.
  await bank.send({ key: mintKey() });

  expect(bank.line.calls.filter((call) => call === 'reserve')).toHaveLength(1);
  socket.destroy();
});

test('S18: a handler that never returns is told to stop, and its key is free of it', async () => {
  const { clock, mutation, newKey } = openEngine({ maxExecutionMs: 60_000, leaseMs: 9_000 });
  const rename = mutation<'natural'>({ effect: 'natural' });
  const intent = { scope: 'mallory', key: newKey() };
  const entered = deferred<AbortSignal>();
  const hanging = rename.runOnce(intent, ({ signal }) => {
    entered.resolve(signal);
    return new Promise(() => {});
  });
  hanging.catch(() => undefined);
  const signal = await entered.promise;
  await clock.advance(60_000);
  expect(signal.aborted).toBe(true);
  await clock.advance(10_000);

  expect(await rename.runOnce(intent, () => 'renamed')).toMatchObject({ value: 'renamed' });
});

test('S18: duplicates that wait are few, and wait for a bounded time', async () => {
  const inProgress = { mode: 'wait', maxWaiters: 3, maxWaitMs: 60_000 } as const;
  const { mutation, newKey, clock } = openEngine({ inProgress });
  const pay = mutation();
  const intent = { scope: 'mallory', key: newKey() };
  const hanging = deferred<string>();
  const first = pay.runOnce(intent, () => hanging.promise);
  const duplicates = Array.from({ length: 10 }, () => pay.runOnce(intent, () => 'executed'));
  const settled = Promise.allSettled(duplicates);
  await expect(Promise.race(duplicates)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_IN_PROGRESS',
  });
  hanging.resolve('paid');
  expect(await first).toMatchObject({ value: 'paid' });
  await clock.advance(60_000);
  const waited = (await settled).filter(({ status }) => status === 'fulfilled');
  expect(waited).toHaveLength(3);
});
