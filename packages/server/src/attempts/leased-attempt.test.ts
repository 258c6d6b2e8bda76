import { IdempotencyError } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { openEngine } from '../../../../test/support/engine-fixture.ts';
import { mustNotRun } from '../../../../test/support/must-not-run.ts';

class CardDeclined extends Error {
  override name = 'CardDeclined';
  readonly reason = 'limit';
}

describe('an error that is not declared', () => {
  test.each(['natural', 'steps'] as const)('frees the key of a %s effect', async (effect) => {
    const { mutation, newKey, events } = openEngine();
    const pay = mutation({ effect });
    const intent = { scope: 'alice', key: newKey() };
    await expect(pay.runOnce(intent, fails(new Error('oops')))).rejects.toThrow('oops');
    expect(await pay.runOnce(intent, () => 'second try')).toMatchObject({ replayed: false });
    expect(events.map(({ kind }) => kind)).toContain('attempt-released');
  });

  test('leaves the outcome of an external effect unknown, and it is never executed again', async () => {
    const { mutation, newKey, events, clock } = openEngine();
    const pay = mutation();
    const intent = { scope: 'alice', key: newKey() };
    const cause = new Error('socket hang up');
    const unknown = { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN', httpStatus: 409, retry: 'poll' };
    await expect(pay.runOnce(intent, fails(cause))).rejects.toMatchObject({ ...unknown, cause });
    await clock.advance(86_400_000);
    for (let delivery = 0; delivery < 3; delivery++) {
      await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject(unknown);
    }
    expect(events).toContainEqual(expect.objectContaining({ kind: 'attempt-doubted', cause }));
  });

  test('is replayed in the stripe profile, once execution has begun', async () => {
    const { mutation, newKey } = openEngine({ profile: 'stripe' });
    const intent = { scope: 'alice', key: newKey(), input: 1 };
    for (const delivery of [fails(new RangeError('broken')), mustNotRun]) {
      await expect(mutation().runOnce(intent, delivery)).rejects.toMatchObject({
        name: 'RangeError',
        message: 'broken',
      });
    }
    const other = mutation().runOnce({ ...intent, input: 2 }, mustNotRun);
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', httpStatus: 400 });
  });
});

describe('an error that the stripe profile stores', () => {
  test('is not that of a handler that was told to stop', async () => {
    const { mutation, newKey, clock } = openEngine({
      ...{ profile: 'stripe', leaseMs: 3_000, maxExecutionMs: 3_000 },
    });
    const rename = mutation({ effect: 'natural' });
    const intent = { scope: 'alice', key: newKey() };
    const stopped = rename.runOnce(intent, ({ signal }) => untilAborted(signal, []));
    const outcome = expect(stopped).rejects.toThrow(/maxExecutionMs/);
    await clock.advance(3_000);
    await outcome;
    expect(await rename.runOnce(intent, () => 'renamed')).toMatchObject({ value: 'renamed' });
  });

  test('is never one of our own, which is about the moment', async () => {
    const { mutation, newKey } = openEngine({ profile: 'stripe' });
    const rename = mutation({ effect: 'natural' });
    const intent = { scope: 'alice', key: newKey() };
    const busy = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 1 });
    await expect(rename.runOnce(intent, fails(busy))).rejects.toBe(busy);
    expect(await rename.runOnce(intent, () => 'renamed')).toMatchObject({ value: 'renamed' });
  });

  test('keeps its name, message and code, and nothing else it may carry', async () => {
    const { mutation, newKey } = openEngine({ profile: 'stripe' });
    const intent = { scope: 'alice', key: newKey() };
    const error = Object.assign(new Error('timeout'), {
      code: 'ETIMEDOUT',
      config: { headers: { authorization: 'Bearer secret' } },
    });
    await expect(mutation().runOnce(intent, fails(error))).rejects.toBe(error);
    const replayed: unknown = await mutation().runOnce(intent, mustNotRun).catch(same);
    expect(replayed).toMatchObject({ name: 'Error', message: 'timeout', code: 'ETIMEDOUT' });
    expect(replayed).not.toHaveProperty('config');
  });
});

describe('an error that is declared', () => {
  const declared = (errorClass: 'store' | 'release' | 'unknown') => ({
    classifyError: (error: unknown) => (error instanceof CardDeclined ? errorClass : undefined),
  });

  test('to be stored is the answer, also to later attempts, with its properties', async () => {
    const { mutation, newKey } = openEngine();
    const pay = mutation(declared('store'));
    const intent = { scope: 'alice', key: newKey() };
    const answer = { name: 'CardDeclined', message: 'no', reason: 'limit' };
    await expect(pay.runOnce(intent, fails(new CardDeclined('no')))).rejects.toMatchObject(answer);
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject(answer);
    expect(await pay.resultOnce(intent, mustNotRun)).toMatchObject({
      result: { kind: 'failure', error: answer },
      replayed: true,
    });
  });

  test('to prove that nothing happened frees the key even of an external effect', async () => {
    const { mutation, newKey } = openEngine();
    const pay = mutation(declared('release'));
    const intent = { scope: 'alice', key: newKey() };
    await expect(pay.runOnce(intent, fails(new CardDeclined('no')))).rejects.toThrow('no');
    expect(await pay.runOnce(intent, () => 'second try')).toMatchObject({ replayed: false });
  });

  test('by a word that is none falls back to what is safe for the effect', async () => {
    const { mutation, newKey } = openEngine();
    const pay = mutation({ classifyError: () => 'ignore' as 'store' });
    await expect(
      pay.runOnce({ scope: 'alice', key: newKey() }, fails(new Error('oops'))),
    ).rejects.toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });
  });

  test('by a classifier that itself fails falls back to what is safe for the effect', async () => {
    const { mutation, newKey } = openEngine();
    const pay = mutation({ classifyError: fails(new Error('bug')) });
    const intent = { scope: 'alice', key: newKey() };
    await expect(pay.runOnce(intent, fails(new Error('oops')))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
  });
});

describe('a lease', () => {
  test('is renewed for as long as the handler runs', async () => {
    const { mutation, newKey, clock, line } = openEngine({ leaseMs: 3_000 });
    const pay = mutation();
    const intent = { scope: 'alice', key: newKey() };
    const payment = deferred<string>();
    const first = pay.runOnce(intent, () => payment.promise);
    await clock.advance(30_000);
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    });
    payment.resolve('paid');
    expect(await first).toMatchObject({ value: 'paid', replayed: false });
    expect(line.calls.filter((call) => call === 'renew').length).toBeGreaterThanOrEqual(29);
    await clock.advance(3_000);
    expect(clock.pending()).toBe(0);
  });

  test('that another attempt took over aborts the handler, whose answer is not used', async () => {
    const { mutation, newKey, clock, line, events } = openEngine({ leaseMs: 3_000 });
    const rename = mutation({ effect: 'natural' });
    const intent = { scope: 'alice', key: newKey() };
    const slow = deferred<string>();
    let signal: AbortSignal | undefined;
    const first = rename.runOnce(intent, (context) => {
      ({ signal } = context);
      return slow.promise;
    });
    await clock.advance(0);
    // The first attempt is cut off from the store, the second one is not.
    line.fail('renew', 'lost-request');
    await clock.advance(3_000);
    expect(signal?.aborted).toBe(true);
    expect(await rename.runOnce(intent, () => 'winner')).toMatchObject({ replayed: false });
    slow.resolve('loser');
    expect(await first).toMatchObject({ value: 'winner', replayed: true });
    expect(events.map(({ kind }) => kind)).toContain('attempt-fenced');
  });

  test('that the store says is lost aborts the handler at the next renewal', async () => {
    const { mutation, newKey, clock, line, suspend } = openEngine({ leaseMs: 3_000 });
    const intent = { scope: 'alice', key: newKey() };
    const reasons: unknown[] = [];
    const rename = mutation({ effect: 'natural' });
    const renaming = rename.runOnce(intent, ({ signal }) => untilAborted(signal, reasons));
    const outcome = expect(renaming).rejects.toThrow(/lost to another attempt/);
    await clock.advance(0);
    suspend(5_000);
    await line.store.sweep({ limit: 10 });
    await clock.advance(1_000);
    await outcome;
    expect(reasons).toHaveLength(1);
  });

  test('ends with maxExecutionMs, however long the handler goes on', async () => {
    const { mutation, newKey, clock } = openEngine({ leaseMs: 3_000, maxExecutionMs: 10_000 });
    const pay = mutation();
    const intent = { scope: 'alice', key: newKey() };
    const reasons: unknown[] = [];
    const payment = pay.runOnce(intent, ({ signal }) => untilAborted(signal, reasons));
    const outcome = expect(payment).rejects.toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });
    await clock.advance(10_000);
    await outcome;
    expect(String(reasons[0])).toMatch(/maxExecutionMs/);
  });

  test('of a process that died is judged by the effect when its key comes back', async () => {
    const { mutation, newKey, clock, line } = openEngine({ leaseMs: 3_000 });
    const rename = mutation({ effect: 'natural' });
    const pay = mutation();
    const repeatable = { scope: 'alice', key: newKey() };
    const external = { scope: 'alice', key: newKey() };
    // A process that died neither finishes nor renews.
    line.fail('renew', 'lost-request');
    void rename.runOnce(repeatable, () => new Promise(() => {}));
    void pay.runOnce(external, () => new Promise(() => {}));
    await clock.advance(0);
    await expect(pay.runOnce(external, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    });
    await clock.advance(3_000);
    expect(await rename.runOnce(repeatable, () => 'again')).toMatchObject({ value: 'again' });
    await expect(pay.runOnce(external, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
  });
});

describe('a lease that ran out before anything began', () => {
  test('because the store was slow to grant it is given back, and nothing is executed', async () => {
    const { mutation, newKey, clock, line } = openEngine({ leaseMs: 300 });
    const { reserve } = line.store;
    line.store.reserve = async (request) => {
      const reservation = await reserve(request);
      if (reservation.kind === 'reserved' && reservation.attempt === 1) await clock.advance(400);
      return reservation;
    };
    const intent = { scope: 'alice', key: newKey() };
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    });
    expect(await mutation().runOnce(intent, () => 'paid')).toMatchObject({ value: 'paid' });
  });

  test('while the process was suspended starts no further step', async () => {
    const { engine, newKey, clock } = openEngine({ leaseMs: 3_000 });
    const book = engine.mutation({ operation: 'book', effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    const ran: string[] = [];
    const suspended = book.runOnce(intent, async ({ step }) => {
      await step('seat', () => void ran.push('seat'));
      // The clock has moved on, and no timer has had its turn.
      clock.jump(5_000);
      await step('charge', () => void ran.push('charge'));
    });
    await expect(suspended).rejects.toThrow(/lease ran out/);
    expect(ran).toEqual(['seat']);
  });

  test('does not run out because one renewal got no answer', async () => {
    const { mutation, newKey, clock, line } = openEngine({ leaseMs: 30_000 });
    line.fail('renew', 'hang', 1);
    const payment = deferred<string>();
    const run = mutation().runOnce({ scope: 'alice', key: newKey() }, () => payment.promise);
    await clock.advance(120_000);
    payment.resolve('paid');
    expect(await run).toMatchObject({ value: 'paid', replayed: false });
  });
});

describe('attempts', () => {
  test('that were not admitted do not count', async () => {
    let open = false;
    const admit = () => (open ? ({ kind: 'admit' } as const) : refuse);
    const refuse = { kind: 'refuse', retryAfterMs: 1 } as const;
    const { mutation, newKey } = openEngine({ maxAttempts: 3, hooks: { admit } });
    const intent = { scope: 'alice', key: newKey() };
    for (let delivery = 0; delivery < 5; delivery++) {
      await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_QUOTA_EXCEEDED',
      });
    }
    open = true;
    expect(await mutation().runOnce(intent, ({ attempt }) => attempt)).toMatchObject({ value: 1 });
  });

  test('are counted, and end as unknown when a mutation keeps dying', async () => {
    const { mutation, newKey } = openEngine({ maxAttempts: 3 });
    const rename = mutation({ effect: 'natural' });
    const intent = { scope: 'alice', key: newKey() };
    const attempts: number[] = [];
    for (let delivery = 0; delivery < 3; delivery++) {
      const failing = rename.runOnce(intent, ({ attempt }) => {
        attempts.push(attempt);
        throw new Error('oops');
      });
      await expect(failing).rejects.toThrow('oops');
    }
    expect(attempts).toEqual([1, 2, 3]);
    await expect(rename.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
    expect(await rename.status(intent)).toBe('unknown');
  });
});

function same(error: unknown): unknown {
  return error;
}

function fails(error: Error): () => never {
  return () => {
    throw error;
  };
}

function untilAborted(signal: AbortSignal, reasons: unknown[]): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reasons.push(signal.reason);
      reject(signal.reason as Error);
    });
  });
}
