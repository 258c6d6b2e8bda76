import { mintKey } from '@onceward/core';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { type Service, startService } from './start-service.ts';

test('two services in one process keep keys and ledgers apart', async () => {
  await using one = await openService();
  await using two = await openService();
  const key = mintKey();
  for (const service of [one, two, one]) expect((await pay(service, key)).status).toBe(200);
  expect([await effects(one), await effects(two)]).toMatchObject([{ pay: 1 }, { pay: 1 }]);
});

test('a service without a page answers 404 there, and stops although a request hangs', async () => {
  await using service = await openService();
  expect((await fetch(service.url)).status).toBe(404);
  const key = mintKey();
  const deliveries = [1, 2].map(() =>
    pay(service, key, 'hold=60000').then(
      ({ status }) => status,
      () => 'cut off',
    ),
  );
  expect(await Promise.race(deliveries)).toBe(409);
  await service.stop();
  expect((await Promise.all(deliveries)).toSorted()).toEqual([409, 'cut off']);
});

test('nobody kills it who is not signed in, and no link does', async () => {
  await using service = await openService();
  const { authorization } = alice;
  const status = async (init: RequestInit) => (await fetch(`${service.url}/kill`, init)).status;
  expect(await status({ method: 'POST' })).toBe(403);
  expect(await status({ headers: { authorization } })).toBe(403);
});

test('without onceward the same mutation happens as often as it is sent', async () => {
  await using service = await openService();
  const order = mintKey();
  const sends = [1, 2].map(async () => {
    const response = await fetch(`${service.url}/plain/trpc/pay`, {
      method: 'POST',
      headers: { ...alice, 'x-order': order },
      body: JSON.stringify({ json: { to: 'bob', amountCents: 100 } }),
    });
    return response.status;
  });
  expect(await Promise.all(sends)).toEqual([200, 200]);
  expect(await effects(service)).toMatchObject({ pay: 2 });
});

test('the console shows what was paid, and its page comes from the same server', async () => {
  await using service = await openService();
  expect((await pay(service, mintKey())).status).toBe(200);
  const overview = await fetch(`${service.url}/console/api/overview`);
  expect(await overview.json()).toMatchObject({ activity: { keys: 1 } });
  const page = await fetch(`${service.url}/console`);
  expect(page.url).toBe(`${service.url}/console/`);
  const [, script] = /src="\.\/(assets\/[\w.-]+\.js)"/.exec(await page.text()) ?? [];
  const loaded = await fetch(new URL(script ?? 'none', page.url));
  expect(loaded.headers.get('content-type')).toMatch(/^text\/javascript/);
});

/** A service on a database of its own. */
async function openService(): Promise<Service> {
  const url = new URL(inject('postgresUrl'));
  const name = `playground_${randomBytes(8).toString('hex')}`;
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`create database ${name}`);
  url.pathname = `/${name}`;
  const service = await startService({
    databaseUrl: url.href,
    port: 0,
    host: '127.0.0.1',
    crash: () => {
      throw new Error('crashed');
    },
  });
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await service.stop();
      await admin.query(`drop database ${name}`);
      await admin.end();
    },
  };
}

function pay({ url }: Service, key: string, fault = ''): Promise<Response> {
  return fetch(`${url}/trpc/pay`, {
    method: 'POST',
    headers: { ...alice, 'idempotency-key': `"${key}"`, 'x-fault': fault },
    body: JSON.stringify({ json: { to: 'bob', amountCents: 100 } }),
  });
}

async function effects({ url }: Service): Promise<unknown> {
  const response = await fetch(`${url}/trpc/effects`, { headers: alice });
  const { result } = (await response.json()) as { result: { data: { json: unknown } } };
  return result.data.json;
}

const alice = { authorization: 'Bearer alice', 'content-type': 'application/json' };
