import type { GraphQLSchema } from 'graphql';
import type { Effect } from '../effect.ts';
import type { Mutation } from '../engine.ts';
import { createIdempotency } from './idempotency.ts';
import type { IdempotencyOptions } from './idempotency-options.ts';

/**
 * The marked mutations of a schema by the names of their fields: to settle unknown outcomes from a
 * webhook, and for a reconciler. Takes the options of your plugin.
 */
export function mutationsOf<Context, Transaction = never>(
  schema: GraphQLSchema,
  options: IdempotencyOptions<Context, Transaction>,
): ReadonlyMap<string, Mutation<Effect, unknown>> {
  const policy = createIdempotency(options).policyOf(schema);
  return new Map([...policy].map(([name, { mutation }]) => [name, mutation]));
}
