import { createKeyMinter, IdempotencyError } from '@onceward/core';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { deferred } from '../../../test/support/deferred.ts';
import { openEngine } from '../../../test/support/engine-fixture.ts';
import { mustNotRun } from '../../../test/support/must-not-run.ts';

describe('one intent, one execution', () => {
  test('a second delivery replays the first answer and executes nothing', async () => {
    const { mutation, newKey } = openEngine();
    const pay = mutation();
    const intent = { scope: 'alice', key: newKey(), input: { amount: 100 } };
    let executions = 0;
    const charge = async () => ({ receipt: ++executions });

    expect(await pay.runOnce(intent, charge)).toMatchObject({
      value: { receipt: 1 },
      replayed: false,
    });
    expect(await pay.runOnce(intent, charge)).toMatchObject({
      value: { receipt: 1 },
      replayed: true,
    });
    expect(executions).toBe(1);
  });

  test('of many concurrent deliveries one executes and the others are told to come back', async () => {
    const { mutation, newKey } = openEngine();
    const pay = mutation();
    const intent = { scope: 'alice', key: newKey() };
    const payment = deferred<string>();
    const deliveries = Array.from({ length: 32 }, () => pay.runOnce(intent, () => payment.promise));
    const settled = Promise.allSettled(deliveries);
    await expect(Promise.any(deliveries.map(rejection))).resolves.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    });
    payment.resolve('paid');
    const kinds = (await settled).map(({ status }) => status);
    expect(kinds.filter((status) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([undefined, null, '', 0, false, [], {}, { nested: [null, 'ü', '\0'] }])(
    'a value of %j is replayed as it was',
    async (value) => {
      const { mutation, newKey } = openEngine();
      const intent = { scope: 'alice', key: newKey() };
      await mutation().runOnce(intent, () => value);
      const replay = await mutation().runOnce(intent, () => 'executed again');
      expect(replay).toMatchObject({ replayed: true });
      expect(replay.value).toEqual(value);
    },
  );

  test('the same key of another user is another intent', async () => {
    const { mutation, newKey } = openEngine();
    const key = newKey();
    await mutation().runOnce({ scope: 'alice', key }, () => 'for alice');
    const bob = await mutation().runOnce({ scope: 'bob', key }, () => 'for bob');
    expect(bob).toMatchObject({ value: 'for bob', replayed: false });
  });

  test('scopes of several parts are not joined into one', async () => {
    const { mutation, newKey } = openEngine();
    const key = newKey();
    const scopes = [['a', 'b'], ['a,b'], ['["a","b"]'], ['ab'], 'a'];
    for (const scope of scopes) {
      expect(await mutation().runOnce({ scope, key }, () => 1)).toMatchObject({ replayed: false });
    }
  });

  test('an answer says until when it can be replayed', async () => {
    const { mutation, newKey, clock } = openEngine();
    const pay = mutation({ answerRetentionMs: 5_000 });
    const intent = { scope: 'alice', key: newKey() };
    const first = await pay.runOnce(intent, () => 'paid');
    expect(first.answerExpiresAt).toBe(clock.now() + 5_000);
    await clock.advance(1_000);
    expect((await pay.runOnce(intent, () => 'twice')).answerExpiresAt).toBe(first.answerExpiresAt);
    await clock.advance(5_000);
    await expect(pay.runOnce(intent, () => 'twice')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_RESPONSE_UNAVAILABLE',
      details: { reason: 'expired' },
      httpStatus: 410,
    });
  });

  test('a handler gets its key, its attempt and a signal', async () => {
    const { mutation, newKey } = openEngine();
    const key = newKey();
    await mutation().runOnce({ scope: 'alice', key }, (context) => {
      expect(context).toMatchObject({ key, attempt: 1 });
      expect(context.signal.aborted).toBe(false);
      expect(Object.keys(context)).toEqual(['key', 'attempt']);
    });
  });
});

describe('what is refused before anything happens', () => {
  const farFuture = createKeyMinter({ now: () => Date.now() + 3_600_000 });
  const farPast = createKeyMinter({ now: () => Date.now() - 8 * 86_400_000 });
  const refused = [
    ['no key', undefined, 'IDEMPOTENCY_KEY_MISSING', 400],
    ['an empty key', '', 'IDEMPOTENCY_KEY_INVALID', 400],
    ['a UUID v4', '9b2f4a6e-5d1c-4f0a-8c7b-0123456789ab', 'IDEMPOTENCY_KEY_INVALID', 400],
    ['an opaque key', 'order-2041-attempt-1', 'IDEMPOTENCY_KEY_INVALID', 400],
    ['a key with quotes', `"${farPast()}"`, 'IDEMPOTENCY_KEY_INVALID', 400],
    ['a key of 20,000 characters', '0'.repeat(20_000), 'IDEMPOTENCY_KEY_INVALID', 400],
    ['a key from the future', farFuture(), 'IDEMPOTENCY_KEY_FUTURE', 400],
    ['a key older than keys are kept', farPast(), 'IDEMPOTENCY_KEY_EXPIRED', 410],
  ] as const;

  test.each(refused)('%s', async (_, key, code, httpStatus) => {
    const { mutation, line, events } = openEngine();
    const refusal = await rejection(mutation().runOnce({ scope: 'alice', key }, mustNotRun));
    expect(refusal).toMatchObject({ code, httpStatus });
    expect(await line.store.stats()).toMatchObject({ records: { 'in-progress': 0, completed: 0 } });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'attempt-refused', code }));
    if (key) expect(refusal.message).not.toContain(key);
  });

  const bad = [
    ['nested a million deep', nested(1_000_000), 'too-deep'],
    ['with half a surrogate pair', { note: '\ud800' }, 'lone-surrogate'],
    ['with a number that overflowed', JSON.parse('{"amount":1e400}'), 'not-finite'],
    ['with an integer that lost its last digits', { id: 1e16 + 2 }, 'unsafe-integer'],
    ['with a function', { callback: () => 1 }, 'not-json'],
    ['with a Map', { amounts: new Map([['a', 1]]) }, 'not-json'],
  ] as const;

  test.each(bad)('an input %s', async (_, input, problem) => {
    const { mutation, newKey, line } = openEngine();
    const intent = { scope: 'alice', key: newKey(), input };
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_INPUT_INVALID',
      details: { problem },
      httpStatus: 400,
    });
    expect(line.calls).toEqual([]);
  });

  test.each([[['0197']], [7], [{}]])('a key that is %j and no text', async (key) => {
    const { mutation } = openEngine();
    const intent = { scope: 'alice', key: key as unknown as string };
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_INVALID',
    });
  });

  test.each([
    ['a getter', Object.defineProperty({}, 'amount', { enumerable: true, get: mistake })],
    ['toJSON', { toJSON: mistake }],
    ['a proxy', new Proxy({}, { ownKeys: mistake })],
  ])('an input whose %s throws, without what it threw', async (_, input) => {
    const { mutation, newKey } = openEngine();
    const refusal = await rejection(
      mutation().runOnce({ scope: 'alice', key: newKey(), input }, mustNotRun),
    );
    expect(refusal).toMatchObject({ code: 'IDEMPOTENCY_INPUT_INVALID', httpStatus: 400 });
    expect(JSON.stringify(refusal)).not.toContain('secret');
  });

  test('a scope that is missing, empty or not text is a mistake of the server, not "anyone"', async () => {
    const { mutation, newKey, line } = openEngine();
    const scopes = [
      undefined,
      null,
      '',
      [],
      [''],
      ['a', ''],
      7,
      'a\0b',
      '\ud800',
      'x'.repeat(501),
      new Array(1),
    ];
    for (const scope of scopes) {
      const intent = { scope: scope as string, key: newKey() };
      await expect(mutation().runOnce(intent, mustNotRun)).rejects.toThrow(/`scope`/);
    }
    expect(line.calls).toEqual([]);
  });

  test('a key reused for another input or operation, and nothing of the record is told', async () => {
    const { mutation, engine, newKey } = openEngine();
    const intent = { scope: 'alice', key: newKey(), input: { amount: 1 } };
    await mutation().runOnce(intent, () => 'secret answer');
    const refund = engine.mutation({ operation: 'refund', effect: 'external' });
    for (const call of [
      mutation().runOnce({ ...intent, input: { amount: 2 } }, mustNotRun),
      refund.runOnce(intent, mustNotRun),
    ]) {
      const refusal = await rejection(call);
      expect(refusal).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', httpStatus: 422 });
      expect(JSON.stringify(refusal)).not.toContain('secret');
    }
  });

  test('-0 and 0, and members in another order, are the same input', async () => {
    const { mutation, newKey } = openEngine();
    const key = newKey();
    await mutation().runOnce({ scope: 'alice', key, input: { a: 0, b: 1 } }, () => 'paid');
    const again = { scope: 'alice', key, input: { b: 1, a: -0 } };
    expect(await mutation().runOnce(again, mustNotRun)).toMatchObject({ replayed: true });
  });

  test('only the selected fields of an input count', async () => {
    const { mutation, newKey } = openEngine();
    const pay = mutation({ select: (input) => (input as { amount: number }).amount });
    const key = newKey();
    await pay.runOnce({ scope: 'alice', key, input: { amount: 1, sentAt: 1 } }, () => 'paid');
    const later = { scope: 'alice', key, input: { amount: 1, sentAt: 2 } };
    expect(await pay.runOnce(later, mustNotRun)).toMatchObject({ replayed: true });
  });

  test('a wrong clock of a client comes back with the time of the server', async () => {
    const { mutation, clock } = openEngine();
    const refusal = await rejection(
      mutation().runOnce({ scope: 'alice', key: farFuture() }, mustNotRun),
    );
    expect(refusal.details).toMatchObject({ serverTimeMs: clock.now() });
  });

  test('a key of the future is told when it will be accepted, and is from then on', async () => {
    const { mutation, clock, newKey } = openEngine();
    clock.jump(3_600_000);
    const intent = { scope: 'alice', key: newKey() };
    clock.jump(-3_600_000);
    const { details } = await rejection(mutation().runOnce(intent, mustNotRun));
    const { retryAfterMs } = details as { retryAfterMs: number };
    clock.jump(retryAfterMs - 1);
    await rejection(mutation().runOnce(intent, mustNotRun));
    clock.jump(1);
    expect(await mutation().runOnce(intent, () => 'paid')).toMatchObject({ value: 'paid' });
  });
});

describe('a secret behind the fingerprints', () => {
  const older = { id: 1, secret: 'a secret of last year' };
  const newer = { id: 2, secret: 'a secret of this year' };

  test('can be added and rotated while keys are in use', async () => {
    const before = openEngine();
    const { store } = before.line;
    const intent = { scope: 'alice', key: before.newKey(), input: { amount: 1 } };
    await before.mutation().runOnce(intent, () => 'paid');
    for (const secrets of [[older], [newer, older]]) {
      const { mutation, newKey } = openEngine({ store, fingerprint: { secrets } });
      expect(await mutation().runOnce(intent, mustNotRun)).toMatchObject({ replayed: true });
      const changed = { ...intent, input: { amount: 2 } };
      await expect(mutation().runOnce(changed, mustNotRun)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
      const fresh = { ...intent, key: newKey() };
      expect(await mutation().runOnce(fresh, () => 'paid')).toMatchObject({ replayed: false });
    }
  });

  test('that was removed too early refuses, and does not execute again', async () => {
    const before = openEngine({ fingerprint: { secrets: [older] } });
    const { store } = before.line;
    const intent = { scope: 'alice', key: before.newKey(), input: 1 };
    await before.mutation().runOnce(intent, () => 'paid');
    const after = openEngine({ store, fingerprint: { secrets: [newer] } });
    await expect(after.mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });
});

describe('optional keys', () => {
  test('without a key the mutation is executed, unprotected', async () => {
    const { mutation, line } = openEngine();
    const pay = mutation({ key: 'optional' });
    let executions = 0;
    for (let delivery = 0; delivery < 2; delivery++) {
      await pay.runOnce({ scope: 'alice', key: undefined }, () => ++executions);
    }
    expect(executions).toBe(2);
    expect(line.calls).toEqual([]);
  });

  test('with a key it is protected, and a malformed one is still refused', async () => {
    const { mutation, newKey } = openEngine();
    const pay = mutation({ key: 'optional' });
    const intent = { scope: 'alice', key: newKey() };
    await pay.runOnce(intent, () => 'paid');
    expect(await pay.runOnce(intent, mustNotRun)).toMatchObject({ replayed: true });
    await expect(
      pay.runOnce({ scope: 'alice', key: 'nonsense' }, mustNotRun),
    ).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_INVALID',
    });
  });
});

describe('opaque keys', () => {
  test('are accepted, replayed and told apart where the format is opaque', async () => {
    const { mutation, line } = openEngine({ keyFormat: 'opaque', keyRetentionMs: Infinity });
    const intent = { scope: 'alice', key: 'order-2041-attempt-1' };
    await mutation().runOnce(intent, () => 'paid');
    expect(await mutation().runOnce(intent, mustNotRun)).toMatchObject({ replayed: true });
    await expect(
      mutation().runOnce({ scope: 'alice', key: 'short' }, mustNotRun),
    ).rejects.toMatchObject({ details: { problem: 'too-short' } });
    expect(line.calls.filter((call) => call === 'reserve')).toHaveLength(2);
  });
});

describe('expired keys of an effect that may be repeated', () => {
  test('are executed again where that was asked for', async () => {
    const { mutation, clock, newKey } = openEngine({ expired: 'execute' });
    const key = newKey();
    await clock.advance(30 * 86_400_000);
    const rename = mutation({ effect: 'natural' });
    const run = await rename.runOnce({ scope: 'alice', key }, () => 'renamed');
    expect(run).toMatchObject({ value: 'renamed', replayed: false });
  });
});

describe('an unknown outcome', () => {
  const doubted = async () => {
    const fixture = openEngine();
    const pay = fixture.mutation();
    const intent = { scope: 'alice', key: fixture.newKey() };
    await expect(pay.runOnce(intent, mistake)).rejects.toMatchObject({ httpStatus: 409 });
    return { ...fixture, pay, intent };
  };

  test('is settled by evidence that it happened, and replays it', async () => {
    const { pay, intent } = await doubted();
    const evidence = { kind: 'executed', value: { receipt: 7 } } as const;
    expect(await pay.settle(intent, evidence)).toBe('settled');
    expect(await pay.runOnce(intent, mustNotRun)).toMatchObject({
      value: { receipt: 7 },
      replayed: true,
    });
    expect(await pay.settle(intent, evidence)).toBe('not-unknown');
  });

  test('is settled by evidence that it did not, after a quiet time', async () => {
    const { pay, intent, clock } = await doubted();
    const evidence = { kind: 'not-executed', quietMs: 60_000 } as const;
    expect(await pay.settle(intent, evidence)).toBe('too-soon');
    await clock.advance(60_000);
    expect(await pay.settle(intent, evidence)).toBe('settled');
    expect(await pay.runOnce(intent, () => 'paid')).toMatchObject({ replayed: false });
  });
});

test('types guide: the value is inferred, and only steps have a step', async () => {
  const { engine, newKey } = openEngine();
  const intent = { scope: 'alice', key: newKey() };
  const run = await engine
    .mutation({ operation: 'pay', effect: 'external' })
    .runOnce(intent, async () => ({ receipt: 1 }));
  expectTypeOf(run.value).toEqualTypeOf<{ receipt: number }>();

  // @ts-expect-error a memory store has no transactions
  expect(() => engine.mutation({ operation: 'pay', effect: 'atomic' })).toThrow(/transactions/);
  // @ts-expect-error an effect has no default
  expect(() => engine.mutation({ operation: 'pay' })).toThrow(/`effect`/);
  await engine
    .mutation({ operation: 'book', effect: 'steps' })
    .runOnce({ scope: 'alice', key: newKey() }, async ({ step }) => {
      expectTypeOf(await step('seat', () => 7)).toEqualTypeOf<number>();
    });
});

function mistake(): never {
  throw new Error('a secret');
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

async function rejection(call: Promise<unknown>): Promise<IdempotencyError> {
  try {
    await call;
  } catch (error) {
    if (IdempotencyError.is(error)) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}
