import type { ApolloLink, DefaultContext } from '@apollo/client';
import { createOperation } from '@apollo/client/link/utils';
import type { Attempt } from '../attempt.ts';
import type { KeyCarrier } from '../graphql/graphql-options.ts';
import { variablesWithKey } from '../graphql/kept-mutation.ts';
import type { Variables } from '../graphql/open-mutation.ts';

/**
 * The operation that one attempt sends: a copy, with the key.
 *
 * Links below write into what they are given, such as the response into its context and a hash
 * into its extensions. The answer to an attempt that nobody waits for any more must not be taken
 * for that of the next one, and every attempt must send the same.
 */
export function attemptOperation(
  { operation, context, variables, keyVariable, carrier }: Parcel,
  attempt: Attempt,
): ApolloLink.Operation {
  const { query, client, extensions } = operation;
  const key = attempt.takeKey();
  const inBody = key && carrier !== 'header';
  const inHeader = key && carrier !== 'extensions';
  const request = {
    query,
    variables: variablesWithKey(variables, keyVariable, key),
    extensions: { ...extensions, ...(inBody && { idempotencyKey: key }) },
    context: {
      ...context,
      [slot]: attempt,
      response: undefined,
      ...(inHeader && { headers: { ...withoutKey(context.headers), ...attempt.headers() } }),
      // `HttpLink` may have been told to leave extensions out, and with them the key.
      ...(inBody && { http: { ...context.http, includeExtensions: true } }),
    },
  };
  return createOperation(request, { client });
}

/** What the attempts for one operation have in common. */
export interface Parcel {
  readonly operation: ApolloLink.Operation;
  /** As it was before the first attempt. */
  readonly context: Context;
  readonly variables: Variables;
  readonly keyVariable: string | undefined;
  readonly carrier: KeyCarrier;
}

/** Whether an operation comes from an `IdempotencyLink`: it has its key, and is retried, already. */
export function isAttempt(operation: ApolloLink.Operation): boolean {
  return slot in operation.getContext();
}

/** What the links below have left in the context of an attempt, for those above. */
export function contextAfter(attempted: ApolloLink.Operation): Context {
  const context = { ...(attempted.getContext() as Context) };
  delete context[slot];
  return context;
}

/** Two spellings of one name would be two headers. */
function withoutKey(headers: Record<string, string> = {}): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => !/^idempotency-key$/i.test(name));
  return Object.fromEntries(others);
}

export interface Context extends DefaultContext {
  readonly headers?: Record<string, string>;
  readonly http?: object;
  [slot]?: Attempt;
}

const slot = Symbol.for('@onceward/client.apollo.attempt');
