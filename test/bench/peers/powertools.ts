import { createClient } from '@redis/client';
import { pay, payment, type PeerEntry } from './peer.ts';

/** With the time that is left to a function, without which it executes duplicates. */
export const powertools: PeerEntry = {
  name: 'powertools',
  library: '@aws-lambda-powertools/idempotency',
  driver: '@redis/client',
  store: 'redis',
  async open(url) {
    const { IdempotencyConfig, makeIdempotent } =
      await import('@aws-lambda-powertools/idempotency');
    const { CachePersistenceLayer } = await import('@aws-lambda-powertools/idempotency/cache');
    const client = createClient({ url });
    await client.connect();
    // Inputs are not compared: with this store, it refuses every replay if they are.
    const config = new IdempotencyConfig({ eventKeyJmesPath: 'key' });
    const lambdaContext = { getRemainingTimeInMillis: () => 60_000 };
    config.registerLambdaContext(
      lambdaContext as Parameters<typeof config.registerLambdaContext>[0],
    );
    const deliver = makeIdempotent(({ input }: Delivery) => pay(input), {
      persistenceStore: new CachePersistenceLayer({ client: client as never }),
      config,
    }) as (delivery: Delivery) => Promise<unknown>;
    return {
      deliver: (key) => deliver({ key, input: payment }),
      [Symbol.asyncDispose]: () => client.disconnect(),
    };
  },
};

interface Delivery {
  readonly key: string;
  readonly input: typeof payment;
}
