import { describe, expect, test } from 'vitest';
import { faults, openGateway } from '../../support/faulty-gateway.ts';
import { openPostgres } from '../../support/open-postgres.ts';
import { httpClient, httpLinks } from './clients.ts';
import { createPayments } from './payments.ts';
import { serveHttp } from './serve-payments.ts';

describe.for(Object.entries(httpLinks))('through %s', ([, link]) => {
  test.for(faults)('a mutation happens once in spite of: %s', async (fault) => {
    await using database = await openPostgres();
    const { record, effects } = database;
    await using server = await serveHttp(createPayments({ store: database.store(), record }));
    await using gateway = await openGateway(server.url);
    const client = httpClient(link(gateway.url));

    gateway.failNext(fault);
    const paid = await client.pay.mutate({ amountCents: 100 });
    gateway.failNext(fault);
    const notified = await client.notify.mutate({ amountCents: 100 });

    expect(paid).toEqual({ amountCents: 100, paidAt: expect.any(Date) });
    expect(notified).toEqual({ notifiedAt: expect.any(Date) });
    expect(gateway.requests).toHaveLength(4);
    expect(await effects('pay 100')).toBe(1);
    expect(await effects('notify 100')).toBe(1);
  });

  test('an error that is an answer is the same error after its first answer was lost', async () => {
    await using database = await openPostgres();
    const { record, effects } = database;
    await using server = await serveHttp(createPayments({ store: database.store(), record }));
    await using gateway = await openGateway(server.url);
    const client = httpClient(link(gateway.url));

    gateway.failNext('reset after');
    await expect(client.refuse.mutate({ amountCents: 1 })).rejects.toMatchObject({
      message: expect.stringMatching(/^No credit at \d+$/),
      data: { code: 'FORBIDDEN', idempotency: null },
    });
    expect(await effects('refuse 1')).toBe(1);
  });
});

test.for(['reset after', 'HTML 502 after', 'half the body'] as const)(
  'a form is uploaded once in spite of: %s',
  async (fault) => {
    await using database = await openPostgres();
    const { record, effects } = database;
    await using server = await serveHttp(createPayments({ store: database.store(), record }));
    await using gateway = await openGateway(server.url);
    const client = httpClient(httpLinks.httpLink(gateway.url));
    const form = new FormData();
    form.set('name', 'receipt');
    form.set('file', new Blob(['four']), 'receipt.txt');

    gateway.failNext(fault);
    expect(await client.upload.mutate(form)).toEqual({ files: 2 });
    expect(await effects('upload of 2')).toBe(1);
  },
);
