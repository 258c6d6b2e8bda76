import { createKeyMinter, mintKey } from '@onceward/core';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchChromium } from '../../engines/chromium.ts';
import { keyed, type Operation, sendGraphql } from './send-graphql.ts';
import { type Delivery, effectsOf, send } from './send.ts';
import { openPlace, type Playground, startPlayground } from './start-playground.ts';

/** What anybody sees who speaks GraphQL to the playground. The ledger is read over tRPC. */
vi.setConfig({ testTimeout: 60_000 });
let place: Awaited<ReturnType<typeof openPlace>>;
let playground: Playground;
beforeAll(async () => {
  place = await openPlace();
  playground = await startPlayground(place.environment);
});
afterAll(async () => {
  await playground?.[Symbol.asyncDispose]();
  place?.[Symbol.dispose]();
});

const payment = mutation('pay', 'paymentId to amountCents note paidAt', {
  to: 'bob',
  amountCents: 1200,
});
const cheaper = { ...payment, variables: { input: { to: 'bob', amountCents: 1 } } };

test('without a name it answers 401', async () => {
  const answer = await sendGraphql(playground, payment, { user: '' });
  expect(answer?.status).toBe(401);
  expect(answer?.body.errors[0].extensions.code).toBe('UNAUTHORIZED');
});

test('every mutation happens once, and a replay has the bytes of the first answer', async () => {
  const user = 'nina';
  const mutations = [
    payment,
    mutation('book', 'bookingId trip amountCents', { trip: 'Vienna', amountCents: 4900 }),
    mutation('notify', 'messageId sentAt', { to: 'bob', text: 'hello' }),
    mutation('rename', 'name', { name: 'Nina' }),
  ];
  for (const operation of mutations) {
    const key = mintKey();
    const first = await sendGraphql(playground, operation, { user, key });
    expect(first).toMatchObject({ status: 200, data: expect.any(String) });
    expect(first?.headers.get('idempotent-replayed')).toBe(null);
    expect(first?.body.extensions.idempotency.replayed).toBe(false);

    const second = await sendGraphql(playground, operation, { user, key });
    expect(second).toMatchObject({ status: 200, data: first?.data });
    expect(second?.headers.get('idempotent-replayed')).toBe('true');
    expect(second?.body.extensions.idempotency.replayed).toBe(true);
  }
  const once = { pay: 1, book: 1, notify: 1, rename: 1 };
  expect(await effectsOf(playground, user)).toEqual(once);
  const query = '{ effects { pay book notify rename } payments { to amountCents note paidAt } }';
  const asked = await sendGraphql(playground, { query }, { user, key: '' });
  const paidAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(asked?.body).toEqual({
    data: { effects: once, payments: [{ to: 'bob', amountCents: 1200, note: null, paidAt }] },
  });
});

test('the same key with other variables is 422, and so is one that was used over tRPC', async () => {
  const [key, trpcKey] = [mintKey(), mintKey()];
  await sendGraphql(playground, payment, { key });
  await send(playground, ['pay', { to: 'bob', amountCents: 1200 }], { key: trpcKey });
  const reused = { status: 422, refusal: 'IDEMPOTENCY_KEY_REUSED' };
  expect(await sendGraphql(playground, cheaper, { key })).toMatchObject(reused);
  expect(await sendGraphql(playground, payment, { key: trpcKey })).toMatchObject(reused);
});

test('no key is 400, and so is an amount that is none, and nothing happens', async () => {
  const user = 'frank';
  const keyless = await sendGraphql(playground, payment, { user, key: '' });
  expect(keyless).toMatchObject({ status: 400, refusal: 'IDEMPOTENCY_KEY_MISSING' });
  const nothing = { ...payment, variables: { input: { to: 'bob', amountCents: 0 } } };
  const answer = await sendGraphql(playground, nothing, { user });
  expect(answer?.status).toBe(400);
  expect(answer?.body.errors[0]).toMatchObject({
    message: expect.stringContaining('amountCents'),
    extensions: { code: 'BAD_USER_INPUT' },
  });
  expect((await effectsOf(playground, user)).pay).toBe(0);
});

test('a key from before the horizon is 410', async () => {
  const key = createKeyMinter({ now: () => Date.UTC(2025, 0, 1) })();
  const answer = await sendGraphql(playground, payment, { key });
  expect(answer).toMatchObject({ status: 410, refusal: 'IDEMPOTENCY_KEY_EXPIRED' });
});

test('a delivery that arrives while the first one runs is 409, with Retry-After', async () => {
  const delivery = { user: 'grace', key: mintKey(), fault: 'hold=500' };
  const deliveries = [1, 2].map(() => sendGraphql(playground, payment, delivery));
  const refused = await Promise.race(deliveries);
  expect(refused).toMatchObject({ status: 409, refusal: 'IDEMPOTENCY_IN_PROGRESS' });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  const statuses = (await Promise.all(deliveries)).map((answer) => answer?.status);
  expect(statuses.toSorted()).toEqual([200, 409]);
  expect((await effectsOf(playground, 'grace')).pay).toBe(1);
});

test('a batch has a key per operation', async () => {
  const user = 'heidi';
  const [one, two] = [keyed(payment), keyed(cheaper)];
  await sendGraphql(playground, one, { user, key: '' });
  const answer = await sendGraphql(playground, [one, two, payment], { user, key: '' });
  expect(answer?.status).toBe(200);
  expect(answer?.body).toMatchObject([
    { data: { pay: { amountCents: 1200 } }, extensions: { idempotency: { replayed: true } } },
    { data: { pay: { amountCents: 1 } }, extensions: { idempotency: { replayed: false } } },
    { errors: [{ extensions: { code: 'IDEMPOTENCY_KEY_MISSING' } }] },
  ]);
  expect((await effectsOf(playground, user)).pay).toBe(2);
});

describe('x-fault', () => {
  test('is refused with what can be written there', async () => {
    const answer = await sendGraphql(playground, payment, { fault: 'explode' });
    expect(answer?.status).toBe(400);
  });

  /** However a key is sent, faults know it as the key that it is. */
  const ways: { way: string; prepare: (key: string) => [Operation, Delivery] }[] = [
    { way: 'a header', prepare: (key) => [payment, { key }] },
    { way: 'extensions', prepare: (key) => [keyed(payment, key), { key: '' }] },
    { way: 'the field', prepare: (key) => [keyedField(payment, key), { key: '' }] },
  ];

  test.for(ways)('drop and 503 strike a key in $way once, and it pays once', async (sent) => {
    const user = `sender of ${sent.way}`;
    const [operation, key] = sent.prepare(mintKey());
    const delivery = { ...key, user, fault: 'status=503,drop' };
    expect((await sendGraphql(playground, operation, delivery))?.status).toBe(503);
    expect((await effectsOf(playground, user)).pay).toBe(0);
    expect(await sendGraphql(playground, operation, delivery)).toBeUndefined();
    const answer = await sendGraphql(playground, operation, delivery);
    expect(answer?.body.extensions.idempotency.replayed).toBe(true);
    expect((await effectsOf(playground, user)).pay).toBe(1);
  });

  test('a crash inside a payment undoes it, and the next attempt pays', async () => {
    const delivery = { user: 'judy', key: mintKey(), fault: 'crash' };
    expect(await sendGraphql(playground, payment, delivery)).toBeUndefined();
    const answer = await vi.waitFor(
      async () => {
        const next = await sendGraphql(playground, payment, delivery);
        return next ?? Promise.reject(new Error('The server is not back'));
      },
      { timeout: 15_000, interval: 20 },
    );
    expect(answer.status).toBe(200);
    expect(answer.body.extensions.idempotency.replayed).toBe(false);
    expect((await effectsOf(playground, 'judy')).pay).toBe(1);
  });
});

test('browsers get GraphiQL, and without a network a page that needs none', async () => {
  const page = await fetch(`${playground.url}/graphql`, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toContain('GraphiQL');

  vi.stubEnv('FONTCONFIG_FILE', join(import.meta.dirname, '../../examples/fonts.conf'));
  await using browser = await launchChromium();
  const tab = await browser.newPage();
  await tab.route(
    ({ origin }) => origin !== playground.url,
    (route) => route.abort(),
  );
  await tab.goto(`${playground.url}/graphql`);
  await tab.waitForURL('**/graphql.html');
  for (const replayed of [false, true]) {
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByText(`"replayed": ${replayed}`).waitFor();
  }
});

function mutation(field: string, selection: string, input: object): Operation {
  const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`;
  return { query, variables: { input } };
}

/** The payment, with its key as a variable of the directive. */
function keyedField({ query, variables }: Operation, key: string): Operation {
  return {
    query: query
      .replace('($input', '($key: String!, $input')
      .replace('(input: $input)', '(input: $input) @idempotent(key: $key)'),
    variables: { ...variables, key },
  };
}
