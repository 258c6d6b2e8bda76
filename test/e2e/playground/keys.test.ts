import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyMinter, mintKey } from '@onceward/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../../docs/documents.ts';
import { root } from '../../tooling/packages.mjs';
import { effectsOf, send, sendWhileHeld } from './send.ts';
import { openPlace, type Playground, startPlayground } from './start-playground.ts';

/** What anybody sees who speaks HTTP to the playground. */
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

const payment = ['pay', { to: 'bob', amountCents: 1200 }] as const;

test('it is healthy, and has a page', async () => {
  expect((await fetch(`${playground.url}/healthz`)).status).toBe(200);
  const page = await fetch(playground.url);
  expect(page.headers.get('content-type')).toContain('text/html');
});

test('without a name it answers 401', async () => {
  const answer = await send(playground, payment, { user: '' });
  expect(answer?.status).toBe(401);
  expect(answer?.text).toContain('UNAUTHORIZED');
});

test.for([
  { form: 'quoted', header: (key: string) => `"${key}"` },
  { form: 'bare', header: (key: string) => key },
])('a $form key gets the first answer again, byte for byte', async ({ form, header }) => {
  const user = `reader of ${form} keys`;
  const key = header(mintKey());
  const first = await send(playground, payment, { user, key });
  expect(first).toMatchObject({ status: 200, result: { amountCents: 1200 } });
  expect(first?.headers.get('idempotent-replayed')).toBe(null);

  const second = await send(playground, payment, { user, key });
  expect(second).toMatchObject({ status: 200, text: first?.text });
  expect(second?.headers.get('idempotent-replayed')).toBe('true');
  expect(await effectsOf(playground, user)).toEqual({ pay: 1, book: 0, notify: 0, rename: 0 });
});

test('every mutation happens once, whatever its effect', async () => {
  const user = 'nina';
  const mutations = [
    payment,
    ['book', { trip: 'Vienna', amountCents: 4900 }],
    ['notify', { to: 'bob', text: 'hello' }],
    ['rename', { name: 'Nina' }],
  ] as const;
  for (const mutation of mutations) {
    const key = mintKey();
    const first = await send(playground, mutation, { user, key });
    expect(first?.status).toBe(200);
    expect((await send(playground, mutation, { user, key }))?.text).toBe(first?.text);
  }
  expect(await effectsOf(playground, user)).toEqual({ pay: 1, book: 1, notify: 1, rename: 1 });
});

test('the same key with another input is 422', async () => {
  const key = mintKey();
  await send(playground, payment, { key });
  const other = await send(playground, ['pay', { to: 'bob', amountCents: 1 }], { key });
  expect(other).toMatchObject({ status: 422, refusal: 'IDEMPOTENCY_KEY_REUSED' });
});

test('the same key of somebody else is another payment', async () => {
  const key = mintKey();
  const [one, two] = await Promise.all(
    ['carol', 'dave'].map((user) => send(playground, payment, { user, key })),
  );
  expect([one?.status, two?.status]).toEqual([200, 200]);
  expect(one?.result?.['paymentId']).not.toBe(two?.result?.['paymentId']);
});

test('no key is 400, and so is an amount that is none, and nothing happens', async () => {
  const user = 'frank';
  const keyless = await send(playground, payment, { user, key: '' });
  expect(keyless).toMatchObject({ status: 400, refusal: 'IDEMPOTENCY_KEY_MISSING' });
  for (const amountCents of [0, -1, 1.5, '12']) {
    const answer = await send(playground, ['pay', { to: 'bob', amountCents }], { user });
    expect(answer?.status).toBe(400);
  }
  expect((await effectsOf(playground, user)).pay).toBe(0);
});

test('a key from before the horizon is 410', async () => {
  const key = createKeyMinter({ now: () => Date.UTC(2025, 0, 1) })();
  const answer = await send(playground, payment, { key });
  expect(answer).toMatchObject({ status: 410, refusal: 'IDEMPOTENCY_KEY_EXPIRED' });
});

test('a delivery that arrives while the first one runs is 409, with Retry-After', async () => {
  const user = 'grace';
  const delivery = { user, key: mintKey(), holdMs: 500 };
  const { refused, held } = await sendWhileHeld(playground, payment, delivery);
  expect(refused).toMatchObject({ status: 409, refusal: 'IDEMPOTENCY_IN_PROGRESS' });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await held)?.status).toBe(200);
  expect((await effectsOf(playground, user)).pay).toBe(1);
});

test('a hundred deliveries of one payment at a time make one payment', async () => {
  const delivery = { user: 'heidi', key: mintKey() };
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => send(playground, payment, delivery)),
  );
  const statuses = new Set(answers.map((answer) => answer?.status));
  expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect((await effectsOf(playground, 'heidi')).pay).toBe(1);
});

describe('x-fault', () => {
  test('is refused with what can be written there', async () => {
    const answer = await send(playground, payment, { fault: 'explode' });
    expect(answer?.status).toBe(400);
    expect(answer?.text).toContain('delay=<ms>, hold=<ms>, status=503, drop and crash');
  });

  test('drop loses the answer of the first attempt; the second gets it', async () => {
    const delivery = { user: 'ivan', key: mintKey(), fault: 'drop' };
    expect(await send(playground, payment, delivery)).toBeUndefined();
    expect((await effectsOf(playground, 'ivan')).pay).toBe(1);
    const second = await send(playground, payment, delivery);
    expect(second?.headers.get('idempotent-replayed')).toBe('true');
    expect((await effectsOf(playground, 'ivan')).pay).toBe(1);
  });

  test('status=503 refuses the first attempt before anything happens', async () => {
    const delivery = { user: 'judy', key: mintKey(), fault: 'status=503' };
    expect((await send(playground, payment, delivery))?.status).toBe(503);
    expect((await effectsOf(playground, 'judy')).pay).toBe(0);
    expect((await send(playground, payment, delivery))?.status).toBe(200);
  });

  test('delay makes a request wait', async () => {
    const started = performance.now();
    await send(playground, payment, { fault: 'delay=150' });
    expect(performance.now() - started).toBeGreaterThan(149);
  });
});

const curl = spawnSync('curl', ['--version']).error === undefined;
if (!curl)
  console.log('The commands of the playground’s README are not run: there is no curl here.');

test.runIf(curl)('what its README does with curl is answered the second time', () => {
  const path = 'apps/playground/README.md';
  const text = readFileSync(join(root, path), 'utf8');
  const blocks = blocksOf({ path, text }).filter(({ code }) => code.includes('curl'));
  expect(blocks).toHaveLength(2);
  for (const { code } of blocks) {
    const here = code.replace('localhost:4000', new URL(playground.url).host);
    const again = here.replace(/^KEY=.*\n/, '');
    const { stdout } = spawnSync('sh', ['-c', `${here}\necho next\n${again}`], {
      cwd: root,
      encoding: 'utf8',
    });
    const [lost, answered] = stdout.split('next\n');
    expect(lost).toBe('');
    expect(answered).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(answered?.toLowerCase()).toContain('idempotent-replayed: true');
  }
});
