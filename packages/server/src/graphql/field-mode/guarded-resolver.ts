import { IdempotencyError } from '@onceward/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Answer } from '../answer.ts';
import { refusalError } from '../answered-result.ts';
import { lendAttempt } from '../attempt-in-context.ts';
import type { Execution } from '../execution.ts';
import { outerError } from '../inner-refusal.ts';
import type { MutationCall } from '../mutation-call.ts';
import { failedField, replayedFailure } from './field-failure.ts';
import { jsonCopy, unwritable } from './json-copy.ts';

export type Resolver = GraphQLFieldResolver<unknown, unknown, Record<string, unknown>>;
/** Source, arguments, context and info. */
export type ResolverCall = Parameters<Resolver>;

/**
 * A resolver that runs once per key. To the core, what it returns is the result of an operation
 * that has this one field.
 */
export function guardedResolver(
  resolve: Resolver,
  callOf: (call: ResolverCall) => MutationCall,
): Resolver {
  return async (...call) => {
    try {
      const mutation = callOf(call);
      const begun = await mutation.begin();
      if (begun.kind === 'answered') return replayedValue(begun.answer, responseNameOf(call));
      return await runOnce(begun.execution, resolve, call);
    } catch (error) {
      // Without `extensions.http`: only some servers read it, and the others would send it.
      throw IdempotencyError.is(error) ? refusalError(error, undefined) : error;
    }
  };
}

export function responseNameOf([, , , { path }]: ResolverCall): string {
  return String(path.key);
}

async function runOnce(
  execution: Execution,
  resolve: Resolver,
  call: ResolverCall,
): Promise<unknown> {
  const responseName = responseNameOf(call);
  let value: unknown;
  try {
    value = await execution.within(() => runWithAttempt(execution, resolve, call));
  } catch (thrown) {
    const answer = await execution.finish(failedField(thrown, responseName));
    if (answer.replayed) return replayedValue(answer, responseName);
    throw outerError(thrown);
  }
  const copy = jsonCopy(value);
  const stored = copy.kind === 'copy' ? copy.value : unwritable;
  const answer = await execution.finish({ raw: { data: { [responseName]: stored } } });
  // Another attempt took over and was first: its answer is the one that counts.
  if (answer.replayed) return replayedValue(answer, responseName);
  return copy.kind === 'copy' ? copy.value : value;
}

/** GraphQL takes an error that is returned for one that is thrown. */
async function runWithAttempt(
  { attempt }: Execution,
  resolve: Resolver,
  [source, args, context, info]: ResolverCall,
): Promise<unknown> {
  using lent = lendAttempt(context, attempt);
  const value: unknown = await resolve(source, args, lent.value, info);
  if (value instanceof Error) throw value;
  return value;
}

function replayedValue({ kept }: Answer, responseName: string): unknown {
  const { result } = kept;
  const failure = replayedFailure(result);
  if (failure) throw failure;
  return result.data?.[responseName];
}
