import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openEngine } from '../../../../test/support/engine-fixture.ts';
import { createAnswerFormat } from './answer-format.ts';
import { jsonCodec, ReplayedError } from './answer-codec.ts';
import { createAnswerCipher } from './answer-cipher.ts';
import { mustNotRun } from '../../../../test/support/must-not-run.ts';

const unavailable = (reason: string) => ({
  code: 'IDEMPOTENCY_RESPONSE_UNAVAILABLE',
  httpStatus: 410,
  details: { reason },
});

describe('an answer that cannot be kept', () => {
  test('because it is too large is delivered once; duplicates get 410 and execute nothing', async () => {
    const { mutation, newKey, events } = openEngine({ maxAnswerBytes: 100 });
    const intent = { scope: 'alice', key: newKey() };
    const large = 'x'.repeat(200);
    expect(await mutation().runOnce(intent, () => large)).toMatchObject({ value: large });
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(
      unavailable('too-large'),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'answer-unavailable', reason: 'too-large' }),
    );
  });

  test.each([
    ['a BigInt', 10n],
    ['a circular object', circular()],
    ['a function', () => 1],
    ['a value whose toJSON throws', { toJSON: () => JSON.parse('{') as unknown }],
  ])('because %s has no JSON form is not a reason to execute again', async (_, value) => {
    const { mutation, newKey } = openEngine();
    const intent = { scope: 'alice', key: newKey() };
    expect((await mutation().runOnce(intent, () => value)).value).toBe(value);
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(
      unavailable('not-serialisable'),
    );
  });
});

describe('an answer that JSON would write as something else', () => {
  test.each([
    ['a Map', new Map([['a', 1]])],
    ['a Set inside', { tags: new Set(['a']) }],
    ['a Response', new Response('hello')],
  ])('%s is not stored as an empty object', async (_, value) => {
    const { mutation, newKey } = openEngine();
    const intent = { scope: 'alice', key: newKey() };
    await mutation().runOnce(intent, () => value as unknown);
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(
      unavailable('not-serialisable'),
    );
  });

  test.each([
    ['a stream', new ReadableStream()],
    ['an async generator', asyncNumbers()],
  ])('%s is passed on once, and recorded as streamed', async (_, value) => {
    const { mutation, newKey } = openEngine();
    const intent = { scope: 'alice', key: newKey() };
    expect((await mutation().runOnce(intent, () => value as unknown)).value).toBe(value);
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(
      unavailable('streamed'),
    );
  });
});

describe('a business failure that cannot be kept whole', () => {
  const failure = (properties: object) =>
    Object.assign(new Error('insufficient funds'), { code: 'FUNDS' }, properties);

  test.each([
    ['has circular parts', failure({ self: circular() })],
    ['is too large', failure({ dump: 'x'.repeat(2_000_000) })],
  ])('because it %s is replayed by its name, and never as success', async (_, error) => {
    const { mutation, newKey } = openEngine();
    const pay = mutation({ classifyError: () => 'store' });
    const intent = { scope: 'alice', key: newKey() };
    const failing = pay.runOnce(intent, () => Promise.reject(error));
    await expect(failing).rejects.toBe(error);
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      message: 'insufficient funds',
      code: 'FUNDS',
    });
  });
});

describe('the version of an answer', () => {
  test('that is older is decoded to the shape of today', async () => {
    const { mutation, newKey } = openEngine();
    const intent = { scope: 'alice', key: newKey() };
    await mutation().runOnce(intent, () => ({ cents: 100 }));
    const decoders = { 1: (old: unknown) => ({ amount: (old as { cents: number }).cents / 100 }) };
    const today = mutation({ answerVersion: 2, decoders });
    expect(await today.runOnce(intent, mustNotRun)).toMatchObject({ value: { amount: 1 } });
  });

  test('that nothing can decode is 410, never a reason to execute again', async () => {
    const { mutation, newKey } = openEngine();
    const intent = { scope: 'alice', key: newKey() };
    await mutation({ answerVersion: 3 }).runOnce(intent, () => 'paid');
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(
      unavailable('undecodable'),
    );
  });
});

describe('encryption', () => {
  const newKeyOf = (id: string) => ({ id, key: randomBytes(32) });
  const place = { scope: 'alice', key: 'k', operation: 'pay' };

  test('keeps answers and steps out of the store in clear, and replays them', async () => {
    const { mutation, newKey, line } = openEngine({ encryption: { keys: [newKeyOf('a')] } });
    const kept: (Uint8Array | string)[] = [];
    const { complete, saveProgress } = line.store;
    line.store.complete = (lease, completion) => {
      if (completion.outcome.kind !== 'unavailable') kept.push(completion.outcome.answer);
      return complete(lease, completion);
    };
    line.store.saveProgress = (lease, entry) => {
      kept.push(entry);
      return saveProgress(lease, entry);
    };
    const book = mutation({ effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    await book.runOnce(intent, async ({ step }) => {
      await step('charge', () => 'canary in a step');
      return 'canary in an answer';
    });
    expect(kept).toHaveLength(2);
    for (const bytes of kept) expect(Buffer.from(bytes).toString('latin1')).not.toContain('canary');
    expect(await book.runOnce(intent, mustNotRun)).toMatchObject({ value: 'canary in an answer' });
  });

  test('binds an answer to its scope, key and operation: moved elsewhere it does not open', () => {
    const cipher = createAnswerCipher({ keys: [newKeyOf('a')] });
    const sealed = cipher.encrypt(Buffer.from('paid'), place);
    expect(Buffer.from(cipher.decrypt(sealed, place)).toString()).toBe('paid');
    for (const elsewhere of [{ scope: 'bob' }, { key: 'k2' }, { operation: 'refund' }]) {
      expect(() => cipher.decrypt(sealed, { ...place, ...elsewhere })).toThrow();
    }
  });

  test('notices every changed bit', () => {
    const cipher = createAnswerCipher({ keys: [newKeyOf('a')] });
    const sealed = Buffer.from(cipher.encrypt(Buffer.from('paid'), place));
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => cipher.decrypt(changed, place)).toThrow();
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => cipher.decrypt(sealed.subarray(0, length), place)).toThrow();
    }
  });

  test('goes on with an older key while it is listed, and never re-executes without it', async () => {
    const older = newKeyOf('2025');
    const newer = newKeyOf('2026');
    const before = openEngine({ encryption: { keys: [older] } });
    const intent = { scope: 'alice', key: before.newKey() };
    await before.mutation().runOnce(intent, () => 'paid');
    const { store } = before.line;
    const rotated = openEngine({ store, encryption: { keys: [newer, older] } });
    expect(await rotated.mutation().runOnce(intent, mustNotRun)).toMatchObject({ value: 'paid' });
    for (const options of [{ store, encryption: { keys: [newer] } }, { store }]) {
      const lost = openEngine(options).mutation().runOnce(intent, mustNotRun);
      await expect(lost).rejects.toMatchObject(unavailable('undecodable'));
    }
  });

  test('can be introduced while plain answers are kept, if that is asked for', async () => {
    const before = openEngine();
    const intent = { scope: 'alice', key: before.newKey() };
    await before.mutation().runOnce(intent, () => 'paid');
    const { store } = before.line;
    const keys = [newKeyOf('a')];
    const after = openEngine({ store, encryption: { keys, acceptPlain: true } });
    expect(await after.mutation().runOnce(intent, mustNotRun)).toMatchObject({ value: 'paid' });
    // Otherwise whoever can write to the store could answer in the name of any mutation.
    const strict = openEngine({ store, encryption: { keys } });
    await expect(strict.mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(
      unavailable('undecodable'),
    );
  });
});

describe('reading', () => {
  const book = createAnswerFormat({
    ...{ codec: jsonCodec, version: 1, decoders: {}, maxBytes: 1_000, cipher: undefined },
  });
  const place = { scope: 'alice', key: 'k', operation: 'pay' };

  test.each([[], [1], [1, 0], [9, 0, 1, 34, 34], [1, 0, 1, 123], [2, 0, 1, 0, 0]])(
    'garbage (%j) makes the answer unavailable and never throws',
    (...bytes) => {
      const outcome = { kind: 'success', answer: Uint8Array.from(bytes) } as const;
      expect(book.read(outcome, place)).toEqual({ kind: 'unavailable', reason: 'undecodable' });
    },
  );

  test('a stored error with dangerous names pollutes nothing', () => {
    const properties = '{"__proto__":{"polluted":1},"constructor":1,"reason":"limit"}';
    const stored = `{"name":"CardDeclined","message":"no","properties":${properties}}`;
    const error = jsonCodec.decodeError(Buffer.from(stored));
    expect(error).toBeInstanceOf(ReplayedError);
    expect(error).toMatchObject({ name: 'CardDeclined', message: 'no', reason: 'limit' });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(error)).toBe(ReplayedError.prototype);
  });

  test('something thrown that is no error is kept beside one', () => {
    const error = jsonCodec.decodeError(jsonCodec.encodeError({ code: 7 }));
    expect(error).toMatchObject({ thrown: { code: 7 } });
  });
});

function circular(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}

async function* asyncNumbers(): AsyncGenerator<number> {
  yield await Promise.resolve(1);
}
