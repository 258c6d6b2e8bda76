import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import {
  counter,
  openTrpc,
  refusal,
  type Sent,
  serve,
  type TrpcOptions,
} from '../../test/trpc-fixture.ts';

/** `pay`, whose charge the test may hold up. */
function openPay(options: TrpcOptions = {}) {
  const fixture = openTrpc(options);
  const { t, once, authed } = fixture;
  const charge = counter();
  const held: { until?: Promise<void> } = {};
  const pay = authed.use(once.guard({ effect: 'external' })).mutation(async () => {
    const receipt = charge();
    await held.until;
    return receipt;
  });
  const refund = authed.use(once.guard({ effect: 'external' })).mutation(() => charge());
  return { ...fixture, charge, held, send: serve(t.router({ pay, refund })) };
}

describe('a call is refused, and nothing runs,', () => {
  test('without a key: 400', async () => {
    const { send, charge } = openPay();
    const answer = await send('pay');
    expect(answer).toMatchObject(refusal(400, 'IDEMPOTENCY_KEY_MISSING', { operation: 'pay' }));
    expect(answer.json.error.data).toMatchObject({ code: 'BAD_REQUEST', path: 'pay' });
    expect(charge.runs()).toBe(0);
  });

  test('with a key that is no UUID v7: 400', async () => {
    const { send, charge } = openPay();
    const headers = { 'idempotency-key': 'pay-1' };
    expect(await send('pay', { headers })).toMatchObject(
      refusal(400, 'IDEMPOTENCY_KEY_INVALID', { problem: 'not-uuid-v7' }),
    );
    expect(charge.runs()).toBe(0);
  });

  test('with a key from the future: 400', async () => {
    const { send, newKey, clock, charge } = openPay();
    clock.jump(600_000);
    const key = newKey();
    clock.jump(-600_000);
    expect(await send('pay', { key })).toMatchObject(refusal(400, 'IDEMPOTENCY_KEY_FUTURE'));
    expect(charge.runs()).toBe(0);
  });

  test.each<[what: string, path: string, second: Sent]>([
    ['another input', 'pay', { input: { cents: 2 } }],
    ['another mutation', 'refund', { input: { cents: 1 } }],
  ])('with the key of %s: 422', async (_, path, second) => {
    const { send, newKey, charge } = openPay();
    const key = newKey();
    await send('pay', { key, input: { cents: 1 } });
    const answer = await send(path, { key, ...second });
    expect(answer).toMatchObject(refusal(422, 'IDEMPOTENCY_KEY_REUSED', { operation: path }));
    expect(answer.json.error.data.code).toBe('UNPROCESSABLE_CONTENT');
    expect(charge.runs()).toBe(1);
  });

  test('with the key of another input, in the stripe profile: 400', async () => {
    const { send, newKey } = openPay({ profile: 'stripe' });
    const key = newKey();
    await send('pay', { key, input: { cents: 1 } });
    expect(await send('pay', { key, input: { cents: 2 } })).toMatchObject(
      refusal(400, 'IDEMPOTENCY_KEY_REUSED'),
    );
  });

  test('while an earlier attempt runs: 409, and when to come back', async () => {
    const { send, newKey, held, charge } = openPay();
    const bank = deferred();
    held.until = bank.promise;
    const key = newKey();
    const running = send('pay', { key });
    await expect.poll(charge.runs).toBe(1);
    const answer = await send('pay', { key });
    expect(answer).toMatchObject(refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 1_000 }));
    expect(answer.json.error.data.code).toBe('CONFLICT');
    expect(answer.headers.get('retry-after')).toBe('1');
    bank.resolve();
    await running;
    expect(charge.runs()).toBe(1);
  });

  test('while an earlier attempt runs, if it is to be accepted: 202, and when to come back', async () => {
    const { send, newKey, held, charge } = openPay({
      inProgress: { mode: 'accepted', retryAfterMs: 2_500 },
    });
    const bank = deferred();
    held.until = bank.promise;
    const key = newKey();
    const running = send('pay', { key });
    await expect.poll(charge.runs).toBe(1);
    const answer = await send('pay', { key });
    expect(answer).toMatchObject(refusal(202, 'IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 2_500 }));
    expect(answer.headers.get('retry-after')).toBe('3');
    bank.resolve();
    await running;
  });

  test('with a key older than the server remembers: 410', async () => {
    const { send, newKey, clock, charge } = openPay();
    const key = newKey();
    clock.jump(8 * 86_400_000);
    const answer = await send('pay', { key });
    expect(answer).toMatchObject(refusal(410, 'IDEMPOTENCY_KEY_EXPIRED'));
    expect(answer.json.error.data.code).toBe('PRECONDITION_FAILED');
    expect(charge.runs()).toBe(0);
  });

  test('when the answer is gone and the key is not: 410', async () => {
    const { send, newKey, clock, charge } = openPay();
    const key = newKey();
    await send('pay', { key });
    clock.jump(2 * 86_400_000);
    expect(await send('pay', { key })).toMatchObject(
      refusal(410, 'IDEMPOTENCY_RESPONSE_UNAVAILABLE'),
    );
    expect(charge.runs()).toBe(1);
  });

  test('beyond what a scope may start: 429, and when to come back', async () => {
    const quota = { newKeys: { limit: 1, windowMs: 10_400 } };
    const { send, newKey, charge } = openPay({ quota });
    await send('pay', { key: newKey() });
    const answer = await send('pay', { key: newKey() });
    expect(answer).toMatchObject(
      refusal(429, 'IDEMPOTENCY_QUOTA_EXCEEDED', { retryAfterMs: 10_400 }),
    );
    expect(answer.json.error.data.code).toBe('TOO_MANY_REQUESTS');
    expect(answer.headers.get('retry-after')).toBe('11');
    expect(charge.runs()).toBe(1);
  });

  test('while the store is down: 503, and when to come back', async () => {
    const { send, newKey, line, charge } = openPay({ storeRetryAfterMs: 1_200 });
    line.fail('reserve', 'lost-request');
    const answer = await send('pay', { key: newKey() });
    expect(answer).toMatchObject(
      refusal(503, 'IDEMPOTENCY_STORE_UNAVAILABLE', { retryAfterMs: 1_200 }),
    );
    expect(answer.json.error.data.code).toBe('SERVICE_UNAVAILABLE');
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(charge.runs()).toBe(0);
  });
});

describe('a refusal', () => {
  test('carries the advice for the client, and neither a stack nor the cause', async () => {
    const { send, newKey, line } = openPay({ isDev: true });
    line.fail('reserve', 'lost-request');
    const { json, text } = await send('pay', { key: newKey() });
    expect(json.error.data.idempotency.retry).toBe('same-key');
    expect(json.error.data).not.toHaveProperty('stack');
    expect(text).not.toContain('connection refused');
  });

  test('never contains a key', async () => {
    const { send, newKey, line } = openPay({ isDev: true });
    const key = newKey();
    const upper = key.toUpperCase();
    await send('pay', { key, input: 1 });
    const refused = [
      await send('pay', { key, input: 2 }),
      await send('pay', { headers: { 'idempotency-key': `${key}, ${key}` } }),
      await send('pay', { key, keys: { 0: newKey() } }),
      await send('pay,pay', { key, input: [1, 1] }),
    ];
    line.fail('reserve', 'lost-request');
    refused.push(await send('pay', { key, input: 1 }));
    for (const { status, text } of refused) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text.toUpperCase()).not.toContain(upper);
    }
  });

  test('is an error to onError, with the refusal as its cause', async () => {
    const { t, once, authed } = openTrpc();
    const seen: unknown[] = [];
    const pay = authed.use(once.guard({ effect: 'external' })).mutation(() => 'paid');
    const send = serve(t.router({ pay }), { onError: ({ error }) => void seen.push(error) });
    await send('pay');
    expect(seen).toMatchObject([
      { code: 'BAD_REQUEST', cause: { code: 'IDEMPOTENCY_KEY_MISSING' } },
    ]);
  });
});

describe('an error of the application', () => {
  test('says with null that nothing was refused', async () => {
    const { send } = openPay();
    const { json } = await send('pay', { user: null });
    expect(json.error.data).toMatchObject({ code: 'UNAUTHORIZED', idempotency: null });
  });
});
