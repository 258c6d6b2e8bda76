import { mintKey } from '@onceward/core';
import { idempotencyKey } from '@onceward/client/trpc';
import { describe, expect, test } from 'vitest';
import { openGateway } from '../../support/faulty-gateway.ts';
import { openPostgres } from '../../support/open-postgres.ts';
import { httpClient, httpLinks } from './clients.ts';
import { createPayments } from './payments.ts';
import { serveHttp } from './serve-payments.ts';

const batching = Object.entries(httpLinks).filter(([name]) => name.includes('Batch'));

describe.for(batching)('through %s', ([, link]) => {
  test('a batch whose answer is lost is sent again, and each of it happens once', async () => {
    await using database = await openPostgres();
    const { record, effects } = database;
    await using server = await serveHttp(createPayments({ store: database.store(), record }));
    await using gateway = await openGateway(server.url);
    const client = httpClient(link(gateway.url));

    gateway.failNext('reset after');
    const amounts = [1, 2, 3];
    await Promise.all(amounts.map((amountCents) => client.pay.mutate({ amountCents })));
    for (const amount of amounts) expect(await effects(`pay ${amount}`)).toBe(1);
  });

  test('what failed of a batch is sent again without the rest, under its own key', async () => {
    await using database = await openPostgres();
    const { record, effects } = database;
    const failing = new Set(['pay 2']);
    const inHandler = (effect: string) => {
      if (failing.delete(effect)) throw new Error('The database is busy');
    };
    const payments = createPayments({ store: database.store(), record, inHandler });
    await using server = await serveHttp(payments);
    await using gateway = await openGateway(server.url);
    const client = httpClient(link(gateway.url));

    const amounts = [1, 2, 3];
    await Promise.all(amounts.map((amountCents) => client.pay.mutate({ amountCents })));
    for (const amount of amounts) expect(await effects(`pay ${amount}`)).toBe(1);

    const [first, second] = gateway.requests;
    const keys = JSON.parse(String(first?.headers['trpc-idempotency-keys'])) as string[];
    expect(second?.headers['idempotency-key']).toBe(`"${keys[1]}"`);
    expect(gateway.requests).toHaveLength(2);
  });

  test('the same key twice in one batch runs once, and both get its answer', async () => {
    await using database = await openPostgres();
    const { record, effects } = database;
    await using server = await serveHttp(createPayments({ store: database.store(), record }));
    const client = httpClient(link(server.url));
    const key = mintKey();

    const [first, second] = await Promise.all([
      client.pay.mutate({ amountCents: 5 }, idempotencyKey(key)),
      client.pay.mutate({ amountCents: 5 }, idempotencyKey(key)),
    ]);
    expect(second).toEqual(first);
    expect(await effects('pay 5')).toBe(1);
  });
});
