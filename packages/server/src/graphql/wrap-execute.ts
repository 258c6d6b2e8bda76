import { IdempotencyError } from '@onceward/core';
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import { answeredResult, refusedResult } from './answered-result.ts';
import { withAttempt } from './attempt-in-context.ts';
import { createIdempotency } from './idempotency.ts';
import type { IdempotencyOptions } from './idempotency-options.ts';
import { collected } from './incremental.ts';
import type { KeySource } from './incoming-key.ts';
import { outerResult } from './inner-refusal.ts';
import type { MutationCall } from './mutation-call.ts';

export interface WrapExecuteOptions<Context, Transaction> extends IdempotencyOptions<
  Context,
  Transaction
> {
  /**
   * Where the key of an operation may be, besides `@idempotent(key:)` on its field. If the server
   * takes several operations in one request, say how many came, as `count`.
   */
  request?: (context: Context) => KeySource;
  /** Checked now. Others are checked when the first operation for them comes. */
  schema?: GraphQLSchema;
}

/** `execute` of graphql-js, or of anything that is called like it. */
export type Execute = (
  args: ExecutionArgs,
) => ExecutionResult | AsyncIterable<ExecutionResult> | PromiseLike<unknown>;

/**
 * Wraps `execute` so that marked mutations are executed once per key, for servers that have no
 * adapter here. Facts and refusals are in `extensions` of results and errors.
 *
 * Errors are stored as `execute` returns them: if something masks them afterwards, wrap that too.
 *
 * @example
 * ```ts
 * createHandler({
 *   schema,
 *   context: (req) => ({ user: userOf(req), headers: req.headers }),
 *   execute: wrapExecute(execute, {
 *     store: postgresStore(pool),
 *     scope: (context) => context.user.id,
 *     request: ({ headers }) => ({ headers }),
 *   }),
 * });
 * ```
 */
export function wrapExecute<Context, Transaction = never>(
  execute: Execute,
  { request = () => ({}), schema, ...options }: WrapExecuteOptions<Context, Transaction>,
): (args: ExecutionArgs) => Promise<ExecutionResult> {
  const idempotency = createIdempotency(options);
  if (schema) idempotency.policyOf(schema);

  return async (args) => {
    try {
      const contextValue = args.contextValue as Context;
      const call = idempotency.callOf({ ...args, contextValue, ...request(contextValue) });
      if (!call) return outerResult((await execute(args)) as ExecutionResult);
      const answer = await run(call, execute, args);
      return call.key ? answeredResult(answer, undefined) : answer.kept.result;
    } catch (error) {
      if (IdempotencyError.is(error)) return refusedResult(error, undefined);
      throw error;
    }
  };
}

async function run(call: MutationCall, execute: Execute, args: ExecutionArgs) {
  const begun = await call.begin();
  if (begun.kind === 'answered') return begun.answer;
  const { execution } = begun;
  let raw: ExecutionResult;
  try {
    const contextValue = withAttempt(args.contextValue, execution.attempt);
    raw = await collected(
      await (execution.within(() =>
        execute({ ...args, contextValue }),
      ) as Promise<ExecutionResult>),
    );
  } catch (error) {
    return execution.fail(error);
  }
  return execution.finish({ raw });
}
