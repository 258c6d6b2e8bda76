import { IdempotencyError } from '@onceward/core';
import { ambient } from '../ambient/ambient.ts';
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import { type HttpAnswers, refusedResult } from '../graphql/answered-result.ts';
import type { Idempotency } from '../graphql/idempotency.ts';
import { refuseIncremental } from '../graphql/incremental.ts';
import type { KeySource } from '../graphql/incoming-key.ts';
import { outerError, outerResult } from '../graphql/inner-refusal.ts';
import { type Executor, GuardedOperation } from './guarded-operation.ts';
import {
  type IncomingRequest,
  IncomingRequests,
  isSingle,
  PlaceInYoga,
} from './incoming-requests.ts';

export interface LastPluginOptions<Context> {
  readonly idempotency: Pick<Idempotency<Context, unknown>, 'policyOf' | 'callOf'>;
  readonly spec: boolean;
  readonly refuseParts: boolean;
  readonly request: ((context: Context) => KeySource) | undefined;
  /** All plugins, ours included. Others may be added until the first request. */
  readonly plugins: readonly object[];
}

/** The hooks, for a plugin whose every hook runs after those of all others. */
export function lastPlugin<Context extends object>(options: LastPluginOptions<Context>): Plugin {
  const { idempotency, spec, refuseParts } = options;
  const requests = new IncomingRequests();
  let known: HttpAnswers | undefined;
  const httpAnswers = () => (known ??= { spec, written: !isAskedAfterUs(options.plugins) });

  const guardedOperation = (
    { schema, document, operationName, variableValues }: ExecutionArgs,
    context: Context,
    incoming: IncomingRequest | undefined,
  ) => {
    const { headers, extensions, count } =
      options.request?.(context) ?? keySource(context, incoming);
    const call = idempotency.callOf({
      schema,
      document,
      operationName,
      variableValues,
      contextValue: context,
      headers,
      extensions,
      count,
    });
    if (call && refuseParts) refuseIncremental(call.sent);
    return call && new GuardedOperation(call, isSingle(incoming) ? httpAnswers() : undefined);
  };

  return {
    onSchemaChange({ schema }) {
      idempotency.policyOf(schema as GraphQLSchema);
    },
    onRequestParse: ({ request }) => ({
      onRequestParseDone: ({ requestParserResult }) => requests.add(request, requestParserResult),
    }),
    onExecute({ args, context, executeFn, setExecuteFn }) {
      const incoming = requests.of(context);
      try {
        const operation = guardedOperation(args, context as unknown as Context, incoming);
        if (!operation) return notGuarded;
        const around = ambient().getStore()?.place;
        const execution = requests.placeOf(context, { incoming, around });
        if (execution) execution.operation = operation;
        setExecuteFn((executed) => operation.execute(executeFn as Executor, executed));
        return {
          onExecuteDone: ({ result, setResult }) => operation.finish(result, setResult),
        };
      } catch (error) {
        if (!IdempotencyError.is(error)) throw error;
        const refused = refusedResult(error, isSingle(incoming) ? httpAnswers() : undefined);
        setExecuteFn(() => refused);
        // Whatever was made of it on the way: clients read the code.
        return { onExecuteDone: ({ setResult }) => setResult(refused) };
      }
    },
    instrumentation: {
      // Around all hooks: when one of them throws, none that comes after it is called.
      execute({ context }, execute) {
        if (!mayMutate(context)) return execute();
        const execution = new PlaceInYoga(context.request);
        const { intent } = ambient().getStore() ?? {};
        // By async context only where a request does not tell: to follow those has its price.
        const executing = requests.place(context, execution)
          ? execute()
          : ambient().run({ intent, place: execution }, execute);
        return executing?.then(undefined, (error: unknown) => {
          if (!execution.operation) throw outerError(error);
          return execution.operation.abandon(error);
        });
      },
    },
  };
}

/**
 * A document without the word is a query, and has nothing to be found again. What has no braces is
 * the name of a persisted document, which may be anything.
 */
function mayMutate({ params }: Partial<YogaInitialContext>): boolean {
  const query = params?.query;
  return !query?.includes('{') || query.includes('mutation');
}

/** Of what is not guarded: its client may have sent a key all the same, and reads codes. */
function hideInnerRefusals({ result, setResult }: OnExecuteDone): void {
  if ('errors' in result) setResult(outerResult(result));
}

/**
 * Whether a plugin but Yoga's own, of which there is one, sees results after all hooks around an
 * execution. It may change them, or make others of them.
 */
function isAskedAfterUs(plugins: readonly (object | null | undefined | false)[]): boolean {
  // Places of plugins that are switched off stay in the list.
  const hooks = plugins.map((plugin) => Object(plugin) as Plugin);
  const processing = hooks.filter(({ onResultProcess }) => onResultProcess).length;
  return processing > 1 || hooks.some(({ onExecutionResult }) => onExecutionResult);
}

const notGuarded = { onExecuteDone: hideInnerRefusals };

function keySource(
  { request, params }: Partial<YogaInitialContext>,
  incoming: IncomingRequest | undefined,
): KeySource {
  return {
    headers: request?.headers,
    extensions: params?.extensions,
    count: incoming?.count,
  };
}

interface OnExecuteDone {
  readonly result: ExecutionResult | AsyncIterable<unknown>;
  readonly setResult: (result: ExecutionResult) => void;
}
