import { idempotencyExchange } from '@onceward/client/urql';
import { cacheExchange, Client, fetchExchange } from '@urql/core';

/** A client that sends each mutation until it settles. Use it in place of `retryExchange`. */
export function openClient(url: string): Client {
  const exchange = idempotencyExchange({
    onEvent: (event) => {
      if (event.kind === 'attempt-waiting') console.log(`  no answer (${event.why}), sent again`);
    },
  });
  return new Client({
    url,
    preferGetMethod: false,
    // Below the cache, which would drop the key.
    exchanges: [cacheExchange, exchange, fetchExchange],
  });
}
