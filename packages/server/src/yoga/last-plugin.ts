import { AsyncLocalStorage } from 'node:async_hooks';
import { IdempotencyError } from '@onceward/core';
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import { type HttpAnswers, refusedResult } from '../graphql/answered-result.ts';
import type { Idempotency, IncomingOperation } from '../graphql/idempotency.ts';
import { refuseIncremental } from '../graphql/incremental.ts';
import type { KeySource } from '../graphql/incoming-key.ts';
import { outerError, outerResult } from '../graphql/inner-refusal.ts';
import { type Executor, GuardedOperation } from './guarded-operation.ts';
import { IncomingRequests } from './incoming-requests.ts';

export interface LastPluginOptions<Context> {
  readonly idempotency: Pick<Idempotency<Context, unknown>, 'policyOf' | 'callOf'>;
  readonly spec: boolean;
  readonly refuseParts: boolean;
  readonly request: ((context: Context) => KeySource) | undefined;
}

/** The hooks, for a plugin whose every hook runs after those of all others. */
export function lastPlugin<Context extends object>(options: LastPluginOptions<Context>): Plugin {
  const { idempotency, spec, refuseParts } = options;
  const requests = new IncomingRequests();
  // Not by context: several operations may share one.
  const executions = new AsyncLocalStorage<{ operation?: GuardedOperation }>();

  const guardedOperation = (args: ExecutionArgs, http: HttpAnswers | undefined) => {
    const context = args.contextValue as Context;
    const source = options.request?.(context) ?? requests.keySource(context);
    const incoming: IncomingOperation<Context> = { ...args, contextValue: context, ...source };
    const call = idempotency.callOf(incoming);
    if (call && refuseParts) refuseIncremental(call.sent);
    return call && new GuardedOperation(call, http);
  };

  return {
    onSchemaChange({ schema }) {
      idempotency.policyOf(schema as GraphQLSchema);
    },
    onRequestParse: ({ request }) => ({
      onRequestParseDone: ({ requestParserResult }) => requests.add(request, requestParserResult),
    }),
    onExecute({ args, context, executeFn, setExecuteFn }) {
      const http = requests.isSingle(context) ? { spec } : undefined;
      try {
        const operation = guardedOperation({ ...args, contextValue: context }, http);
        if (!operation) return { onExecuteDone: hideInnerRefusals };
        const execution = executions.getStore();
        if (execution) execution.operation = operation;
        setExecuteFn((executed) => operation.execute(executeFn as Executor, executed));
        return {
          async onExecuteDone({ result, setResult }) {
            setResult(await operation.finish(result));
          },
        };
      } catch (error) {
        if (!IdempotencyError.is(error)) throw error;
        const refused = refusedResult(error, http);
        setExecuteFn(() => refused);
        // Whatever was made of it on the way: clients read the code.
        return { onExecuteDone: ({ setResult }) => setResult(refused) };
      }
    },
    instrumentation: {
      // Around all hooks: when one of them throws, none that comes after it is called.
      execute({ context }, execute) {
        if (!mayMutate(context)) return execute();
        const execution: { operation?: GuardedOperation } = {};
        const executing = executions.run(execution, execute);
        return executing?.then(undefined, (error: unknown) => {
          if (!execution.operation) throw outerError(error);
          return execution.operation.abandon(error);
        });
      },
    },
  };
}

/** A text without the word is a query. To follow async contexts has its price, also for those. */
function mayMutate({ params }: Partial<YogaInitialContext>): boolean {
  return params?.query?.includes('mutation') ?? true;
}

/** Of what is not guarded: its client may have sent a key all the same, and reads codes. */
function hideInnerRefusals({ result, setResult }: OnExecuteDone): void {
  if ('errors' in result) setResult(outerResult(result));
}

interface OnExecuteDone {
  readonly result: ExecutionResult | AsyncIterable<unknown>;
  readonly setResult: (result: ExecutionResult) => void;
}
