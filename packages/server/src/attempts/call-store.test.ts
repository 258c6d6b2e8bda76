import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { openEngine } from '../../../../test/support/engine-fixture.ts';
import { mustNotRun } from '../../../../test/support/must-not-run.ts';

const unavailable = {
  code: 'IDEMPOTENCY_STORE_UNAVAILABLE',
  httpStatus: 503,
  details: { retryAfterMs: 1_000 },
};

describe('a store that cannot be reached', () => {
  test('refuses the attempt before the handler runs, and is reported', async () => {
    const { mutation, newKey, line, events } = openEngine();
    line.fail('reserve', 'lost-request');
    const intent = { scope: 'alice', key: newKey() };
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(unavailable);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'store-failed', store: 'memory' }),
    );
  });

  test('that never answers refuses the attempt after storeTimeoutMs', async () => {
    const { mutation, newKey, line, clock } = openEngine({ storeTimeoutMs: 2_000 });
    line.fail('reserve', 'hang');
    const refusal = mutation().runOnce({ scope: 'alice', key: newKey() }, mustNotRun);
    const outcome = expect(refusal).rejects.toMatchObject(unavailable);
    await clock.advance(2_000);
    await outcome;
  });

  test('says nothing of keys, inputs or of its own failure', async () => {
    const { mutation, newKey, line } = openEngine();
    line.fail('reserve', 'lost-request');
    const intent = { scope: 'alice', key: newKey(), input: { card: '4242' } };
    const refusal = (await mutation().runOnce(intent, mustNotRun).catch(same)) as Error;
    expect(JSON.stringify(refusal)).not.toMatch(/connection|4242|alice/);
    expect(JSON.stringify(refusal)).not.toContain(intent.key);
    expect(refusal.cause).toMatchObject({ message: 'connection refused' });
  });

  test('is refused for good while it is set up in a way that breaks a promise', async () => {
    const { engine, mutation, newKey, line } = openEngine();
    line.fail('verify', 'lost-request', 2);
    await expect(engine.ready()).rejects.toThrow('connection refused');
    const intent = { scope: 'alice', key: newKey() };
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(unavailable);
    expect(await mutation().runOnce(intent, () => 'paid')).toMatchObject({ value: 'paid' });
    await mutation().runOnce(intent, mustNotRun);
    expect(line.calls.filter((call) => call === 'verify')).toHaveLength(3);
  });
});

describe('a store that answers nonsense', () => {
  test.each([
    [undefined],
    [{}],
    [{ kind: 'granted' }],
    [{ kind: 'toString' }],
    [{ kind: 'committed' }],
  ])('%j to reserving refuses the attempt', async (answer) => {
    const { mutation, newKey, line } = openEngine();
    line.store.reserve = () => Promise.resolve(answer as never);
    const intent = { scope: 'alice', key: newKey() };
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(unavailable);
  });
});

test('a verification that hangs is not waited for by those who come later', async () => {
  const { mutation, newKey, line, clock } = openEngine({ storeTimeoutMs: 2_000 });
  line.fail('verify', 'hang', 1);
  const first = mutation().runOnce({ scope: 'alice', key: newKey() }, mustNotRun);
  const outcome = expect(first).rejects.toMatchObject(unavailable);
  await clock.advance(2_000);
  await outcome;
  const second = await mutation().runOnce({ scope: 'alice', key: newKey() }, () => 'paid');
  expect(second).toMatchObject({ value: 'paid' });
});

test.each([[undefined], [{ kind: 'ran', result: { kind: 'success', value: 'forged' } }]])(
  'a store that answers %j to peeking refuses the attempt',
  async (answer) => {
    const admit = () => ({ kind: 'admit' }) as const;
    const { mutation, newKey, line } = openEngine({ hooks: { admit } });
    line.store.peek = () => Promise.resolve(answer as never);
    const intent = { scope: 'alice', key: newKey() };
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(unavailable);
  },
);

describe('an answer of the store that was lost', () => {
  test('to reserving is asked for again, and the handler runs once', async () => {
    const { mutation, newKey, line } = openEngine();
    line.fail('reserve', 'lost-answer', 1);
    const run = await mutation().runOnce({ scope: 'alice', key: newKey() }, () => 'paid');
    expect(run).toMatchObject({ value: 'paid', replayed: false });
    expect(line.calls.filter((call) => call === 'reserve')).toHaveLength(2);
  });

  test('to reserving, twice, executes nothing and gives the reservation back', async () => {
    const { mutation, newKey, line, clock } = openEngine();
    line.fail('reserve', 'lost-answer', 2);
    const intent = { scope: 'alice', key: newKey() };
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject(unavailable);
    await clock.advance(0);
    // Were it not given back, an effect that never began would end as unknown.
    expect(await mutation().status(intent)).toBe('released');
    expect(await mutation().runOnce(intent, () => 'paid')).toMatchObject({ replayed: false });
  });

  test('to reserving is not asked for again after its time, and what it granted is given back', async () => {
    const { mutation, newKey, line, clock } = openEngine({ storeTimeoutMs: 2_000 });
    const reserve = line.store.reserve.bind(line.store);
    const answer = deferred<never>();
    let asked = 0;
    line.store.reserve = async (request) => {
      asked++;
      await reserve(request);
      return answer.promise;
    };
    const intent = { scope: 'alice', key: newKey() };
    const refusal = mutation().runOnce(intent, mustNotRun);
    const outcome = expect(refusal).rejects.toMatchObject(unavailable);
    await clock.advance(2_000);
    await outcome;
    answer.reject(new Error('connection reset'));
    await clock.advance(0);
    expect(asked).toBe(1);
    expect(await mutation().status(intent)).toBe('released');
  });

  test('to completing is asked for again, and nothing is executed twice', async () => {
    const { mutation, newKey, line, clock } = openEngine();
    line.fail('complete', 'lost-answer', 2);
    const intent = { scope: 'alice', key: newKey() };
    let executions = 0;
    const run = mutation().runOnce(intent, () => ++executions);
    const outcome = expect(run).resolves.toMatchObject({ value: 1, replayed: false });
    await clock.advance(1_000);
    await outcome;
    expect(await mutation().runOnce(intent, mustNotRun)).toMatchObject({
      value: 1,
      replayed: true,
    });
  });
});

describe('a store that fails after the handler ran', () => {
  test('leaves an external effect unknown, and no success is answered', async () => {
    const { mutation, newKey, line, clock } = openEngine();
    line.fail('complete', 'lost-request');
    const intent = { scope: 'alice', key: newKey() };
    const payment = mutation().runOnce(intent, () => 'paid');
    const outcome = expect(payment).rejects.toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });
    await clock.advance(60_000);
    await outcome;
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
  });

  test('lets a natural effect be repeated once its lease has run out', async () => {
    const { mutation, newKey, line, clock } = openEngine({ leaseMs: 3_000 });
    line.fail('complete', 'lost-request', 4);
    const rename = mutation({ effect: 'natural' });
    const intent = { scope: 'alice', key: newKey() };
    const outcome = expect(rename.runOnce(intent, () => 'renamed')).rejects.toMatchObject(
      unavailable,
    );
    await clock.advance(3_000);
    await outcome;
    expect(await rename.runOnce(intent, () => 'renamed')).toMatchObject({ replayed: false });
  });

  test('while giving a key back does not hide why the mutation failed', async () => {
    const { mutation, newKey, line } = openEngine();
    line.fail('release', 'lost-request');
    const rename = mutation({ effect: 'natural' });
    const declined = rename.runOnce({ scope: 'alice', key: newKey() }, () => {
      throw new Error('card declined');
    });
    await expect(declined).rejects.toThrow('card declined');
  });

  test('while doubting is still answered as unknown', async () => {
    const { mutation, newKey, line } = openEngine();
    line.fail('doubt', 'lost-request');
    const payment = mutation().runOnce({ scope: 'alice', key: newKey() }, () => {
      throw new Error('socket hang up');
    });
    await expect(payment).rejects.toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });
  });
});

function same(error: unknown): unknown {
  return error;
}
