import type { IdempotencyKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { HandlerContext } from '../attempts/attempt-context.ts';
import { StopSignal } from '../attempts/stop-signal.ts';
import { type IdempotencyContext, lendAttempt } from './attempt-in-context.ts';

const attemptOf = (key: string) =>
  new HandlerContext({ key: key as IdempotencyKey, attempt: 1 }, new StopSignal()) as never;

const found = (context: object) => (context as Partial<IdempotencyContext>).idempotency;

describe('an attempt is lent to a context', () => {
  test('that has none, and taken back', () => {
    const context = { user: 'alice' };
    const attempt = attemptOf('one');
    const lent = lendAttempt(context, attempt);
    expect([lent.value, found(context)]).toEqual([context, attempt]);
    expect(Object.keys(context)).toEqual(['user', 'idempotency']);
    lent[Symbol.dispose]();
    expect(context).toEqual({ user: 'alice' });
  });

  test('whose parent has one that is lent, lies behind a getter or cannot be written', () => {
    const parents: object[] = [
      { idempotency: attemptOf('other') },
      {
        get idempotency() {
          return attemptOf('other');
        },
      },
      {
        get idempotency() {
          return attemptOf('other');
        },
        set idempotency(_taken) {
          // Keeps what it has.
        },
      },
      Object.freeze({ idempotency: 'theirs' }),
    ];
    for (const parent of parents) {
      const context = Object.create(parent) as object;
      const [attempt, before] = [attemptOf('one'), found(parent)];
      const lent = lendAttempt(context, attempt);
      expect([lent.value === context, found(context)]).toEqual([true, attempt]);
      expect(typeof found(parent)).toBe(typeof before);
      lent[Symbol.dispose]();
      expect(Object.hasOwn(context, 'idempotency')).toBe(false);
    }
  });

  test('that was frozen meanwhile, and stays there', () => {
    const context = {};
    const lent = lendAttempt(context, attemptOf('one'));
    Object.freeze(context);
    lent[Symbol.dispose]();
    expect(found(context)?.key).toBe('one');
  });
});

test.each<[string, ProxyHandler<object>]>([
  ['takes no members', { set: () => false }],
  [
    'is not asked for them',
    {
      has: () => {
        throw new Error('not asked');
      },
    },
  ],
])('a proxy that %s is lent one all the same', (_, handler) => {
  const attempt = attemptOf('one');
  const target = { user: 'alice' };
  const lent = lendAttempt(new Proxy(target, handler), attempt);
  expect(target).toEqual({ user: 'alice', idempotency: attempt });
  lent[Symbol.dispose]();
  expect(target).toEqual({ user: 'alice' });
});

test('a proxy that gives nothing back keeps it', () => {
  const deleteProperty = () => {
    throw new Error('not given');
  };
  const context = new Proxy({}, { deleteProperty });
  lendAttempt(context, attemptOf('one'))[Symbol.dispose]();
  expect(found(context)?.key).toBe('one');
});

test.each([
  ['cannot be written on', Object.freeze({ user: 'alice' })],
  ['has something of that name that stays', Object.freeze({ user: 'alice', idempotency: 1 })],
  ['is none', undefined],
])('a context that %s is left as it is, and copied', (_, context) => {
  const before = context && { ...context };
  const attempt = attemptOf('one');
  using lent = lendAttempt(context, attempt);
  expect(found(lent.value)).toBe(attempt);
  expect(lent.value).not.toBe(context);
  expect(context && { ...context }).toEqual(before);
});
