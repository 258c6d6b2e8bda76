import type { DeliveryEvent } from '@onceward/client';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { faults, openGateway } from '../../support/faulty-gateway.ts';
import { openPostgres, type PostgresFixture } from '../../support/open-postgres.ts';
import { serveApolloPayments } from './apollo-payments.ts';
import { clients } from './clients.ts';
import { servePayments } from './payments.ts';
import { listen } from './serve-payments.ts';

type Serve = (
  database: PostgresFixture,
  inHandler?: (effect: string) => unknown,
) => Promise<AsyncDisposable & { readonly url: string }>;

const servers: Record<string, Serve> = {
  Yoga: (database, inHandler = () => {}) => listen(servePayments(database, { inHandler })),
  'Apollo Server': serveApolloPayments,
};

const pairs = Object.entries(servers).flatMap(([server, serve]) =>
  Object.entries(clients).map(([client, open]) => ({ server, serve, client, open })),
);

describe.for(pairs)('$client against $server', ({ serve, open }) => {
  test('a mutation happens once, whatever happens to its first delivery', async () => {
    await using database = await openPostgres();
    await using server = await serve(database);
    await using gateway = await openGateway(server.url);
    const mutate = open(new URL(new URL(server.url).pathname, gateway.url).href);

    for (const [index, fault] of faults.entries()) {
      gateway.failNext(fault);
      const data = await mutate(`mutation { pay(cents: ${index}) { id } }`);
      expect(data, fault).toMatchObject({ pay: { id: `pay ${index}` } });
      expect(await database.effects(`pay ${index}`), fault).toBe(1);

      gateway.failNext(fault);
      await mutate(`mutation { notify(cents: ${index}) { id } }`);
      expect(await database.effects(`notify ${index}`), fault).toBe(1);
    }
    expect(gateway.requests).toHaveLength(faults.length * 4);
  });

  test('an attempt that is too slow is asked for until it has finished', async () => {
    await using database = await openPostgres();
    const asked = deferred();
    await using server = await serve(database, () => asked.promise);
    const onEvent = (event: DeliveryEvent) => {
      if (event.kind === 'attempt-waiting' && event.why === 'in-progress') asked.resolve();
    };
    const mutate = open(server.url, { attemptTimeoutMs: 150, onEvent });

    await mutate('mutation { pay(cents: 7) { id } }');
    expect(await database.effects('pay 7')).toBe(1);
  });
});
