import { Client, type Exchange, fetchExchange, gql, type OperationContext } from '@urql/core';
import type { DeliveryEvent } from '../src/delivery-event.ts';
import { idempotencyExchange, type IdempotencyExchangeOptions } from '../src/urql/index.ts';

export const PAY = gql`
  mutation Pay($cents: Int) {
    pay(cents: $cents) {
      id
      cents
    }
  }
`;

export interface UrqlSetup extends IdempotencyExchangeOptions {
  readonly above?: Exchange[];
  readonly between?: Exchange[];
  readonly below?: Exchange;
  readonly fetch?: typeof fetch;
}

/** A urql client with an `idempotencyExchange` that hardly waits, and what it reported. */
export function openUrqlClient({ url }: { url: string }, setup: UrqlSetup = {}) {
  const { above = [], between = [], below = fetchExchange, fetch, ...options } = setup;
  const events: DeliveryEvent[] = [];
  const exchange = idempotencyExchange({
    baseDelayMs: 1,
    random: () => 0,
    ...options,
    onEvent(event) {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  const client = new Client({
    url,
    preferGetMethod: false,
    exchanges: [...above, exchange, ...between, below],
    ...(fetch && { fetch }),
  });
  return {
    client,
    events,
    pay: (context: Partial<OperationContext> = {}) =>
      client.mutation(PAY, { cents: 12 }, context).toPromise(),
    failures: () =>
      events.flatMap((event) => (event.kind === 'attempt-failed' ? [event.failure] : [])),
    settled: () => events.flatMap((event) => (event.kind === 'intent-settled' ? [event.as] : [])),
  };
}
