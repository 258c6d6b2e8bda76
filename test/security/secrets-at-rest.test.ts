import { randomBytes } from 'node:crypto';
import { mintKey } from '@onceward/core';
import type { Reservation, Store } from '@onceward/core/store';
import { memoryStore } from '@onceward/server';
import { describe, expect, test } from 'vitest';
import { codeOf, openBank } from './open-bank.ts';
import { databaseNames, openStore } from './open-store.ts';

const encryption = { keys: [{ id: 'current', key: randomBytes(32) }] };

describe.each(databaseNames)('S13: what is at rest in %s', (name) => {
  test('is no input and no header, and with encryption no answer either', async () => {
    await using opened = await openStore(name);
    await using plain = await openBank({ store: opened.store });
    await using sealed = await openBank({ store: opened.store, encryption });
    plain.handle = () => ({ note: 'plain-canary' });
    sealed.handle = () => ({ note: 'sealed-canary' });
    const input = { card: 'input-canary' };
    const headers = { cookie: 'session=header-canary', 'x-token': 'header-canary' };
    await plain.send({ key: mintKey(), input, headers });
    await sealed.send({ key: mintKey(), input, headers });
    const stolen = await opened.atRest();

    // The look itself works: an answer that is not encrypted is found.
    expect(stolen.includes('plain-canary')).toBe(true);
    expect(stolen.includes('sealed-canary')).toBe(false);
    expect(stolen.includes('input-canary')).toBe(false);
    expect(stolen.includes('header-canary')).toBe(false);
  });
});

describe('S13: whoever can write to the store', () => {
  test.each([
    ['give one record the answer of another', (_own: Buffer, other: Buffer) => other],
    ['change a bit of it', (own: Buffer) => flipped(own, own.length - 1)],
    ['change its version', (own: Buffer) => flipped(own, 2)],
    ['cut it short', (own: Buffer) => own.subarray(0, 10)],
    ['empty it', () => Buffer.alloc(0)],
    ['slip in one that is not encrypted', () => Buffer.from('\x01\x00\x01{"forged":true}')],
  ])('may %s: it is 410 and not executed again', async (_, tamper) => {
    const answers: Buffer[] = [];
    const store = tampered((answer) => {
      answers.push(answer);
      return answers.length === 1 ? answer : tamper(answer, answers[0]!);
    });
    await using bank = await openBank({ store, encryption });
    const [other, own] = [mintKey(), mintKey()];
    bank.handle = ({ key }) => ({ note: key === own ? 'mine' : 'not mine' });
    await bank.send({ key: other });
    await bank.send({ key: own });
    expect((await bank.send({ key: other })).status).toBe(200);
    const again = await bank.send({ key: own });

    // The version is no secret, but a changed one has no decoder.
    expect(codeOf(again)).toBe('IDEMPOTENCY_RESPONSE_UNAVAILABLE');
    expect(bank.ledger).toHaveLength(2);
  });
});

test('S13: answers of an old encryption key are read until it is removed, then they are 410', async () => {
  const store = memoryStore();
  const [old, next] = ['old', 'next'].map((id) => ({ id, key: randomBytes(32) }));
  const key = mintKey();
  const statuses: number[] = [];
  for (const keys of [[old!], [next!, old!], [next!]]) {
    await using bank = await openBank({ store, encryption: { keys } });
    statuses.push((await bank.send({ key })).status);
  }
  expect(statuses).toEqual([200, 200, 410]);
});

/** A store whose stored answers somebody has changed. */
function tampered(change: (answer: Buffer) => Uint8Array): Store {
  const real = memoryStore();
  const reserve = real.reserve.bind(real);
  real.reserve = async (request): Promise<Reservation> => {
    const reservation = await reserve(request);
    if (reservation.kind !== 'completed' || reservation.outcome.kind === 'unavailable') {
      return reservation;
    }
    const { outcome } = reservation;
    return { ...reservation, outcome: { ...outcome, answer: change(Buffer.from(outcome.answer)) } };
  };
  return real;
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
}
