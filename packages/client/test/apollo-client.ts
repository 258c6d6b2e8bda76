import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { IdempotencyLink, type IdempotencyLinkOptions } from '../src/apollo/index.ts';
import type { DeliveryEvent } from '../src/delivery-event.ts';

export const PAY = gql`
  mutation Pay($cents: Int) {
    pay(cents: $cents) {
      id
      cents
    }
  }
`;

export interface ApolloSetup extends IdempotencyLinkOptions {
  readonly above?: ApolloLink[];
  readonly between?: ApolloLink[];
  readonly below?: ApolloLink;
}

/** An Apollo client with an `IdempotencyLink` that hardly waits, and what it reported. */
export function openApolloClient({ url }: { url: string }, setup: ApolloSetup = {}) {
  const { above = [], between = [], below = new HttpLink({ uri: url }), ...options } = setup;
  const events: DeliveryEvent[] = [];
  const link = new IdempotencyLink({
    baseDelayMs: 1,
    random: () => 0,
    ...options,
    onEvent(event) {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.from([...above, link, ...between, below]),
  });
  return {
    client,
    events,
    pay: (context: Record<string, unknown> = {}) =>
      client.mutate<{ pay: { id: string; cents: number } }>({
        mutation: PAY,
        variables: { cents: 12 },
        context,
      }),
    failures: () =>
      events.flatMap((event) => (event.kind === 'attempt-failed' ? [event.failure] : [])),
    waits: () =>
      events.flatMap((event) => (event.kind === 'attempt-waiting' ? [event.delayMs] : [])),
    settled: () => events.flatMap((event) => (event.kind === 'intent-settled' ? [event.as] : [])),
  };
}
