import { IdempotencyError } from '@onceward/core';
import {
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import { type HttpAnswers, refusedResult } from '../graphql/answered-result.ts';
import type { Idempotency } from '../graphql/idempotency.ts';
import { refuseIncremental } from '../graphql/incremental.ts';
import type { KeySource } from '../graphql/incoming-key.ts';
import { outerError, outerResult } from '../graphql/inner-refusal.ts';
import { type AroundHooks, AwaitedByHooks } from './awaited-by-hooks.ts';
import { type Executor, GuardedOperation } from './guarded-operation.ts';
import { type CameBy, ServerContext } from './server-context.ts';

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
  let known: HttpAnswers | undefined;
  // Only for an operation that has a response of its own does Yoga read `extensions.http`, and keep
  // that out of the body.
  const httpAnswers = (cameBy: CameBy) =>
    cameBy === 'request'
      ? (known ??= { spec, written: !isAskedAfterUs(options.plugins) })
      : undefined;

  const guardedOperation = (
    { schema, document, operationName, variableValues }: ExecutionArgs,
    context: Context,
    cameBy: CameBy,
  ) => {
    const { headers, extensions, count } = options.request?.(context) ?? keySource(context);
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
    return call && new GuardedOperation(call, httpAnswers(cameBy));
  };

  let checked = false;
  const last: Plugin = {
    onSchemaChange({ schema }) {
      refuseLaterExecutors(options.plugins, last);
      idempotency.policyOf(schema as GraphQLSchema);
    },
    onRequestParse({ serverContext }) {
      return {
        onRequestParseDone({ requestParserResult }) {
          ServerContext.note(serverContext, requestParserResult);
        },
      };
    },
    onExecute({ args, context, executeFn, setExecuteFn }) {
      // Also here: where a schema comes with each operation, none has ever changed.
      if (!checked) refuseLaterExecutors(options.plugins, last);
      checked = true;
      const execute = executeFn as Executor;
      const cameBy = ServerContext.cameBy(context);
      try {
        const operation = guardedOperation(args, context as Context, cameBy);
        if (operation) setExecuteFn((executed) => operation.execute(execute, executed));
        else if (isMutation(args)) setExecuteFn((executed) => unguarded(execute, executed));
      } catch (error) {
        if (!IdempotencyError.is(error)) throw error;
        const refused = refusedResult(error, httpAnswers(cameBy));
        setExecuteFn(() => new AwaitedByHooks(Promise.resolve(refused), always(refused)));
      }
    },
  };
  return last;
}

/**
 * A plugin that executes around us would wait for our promise in place of Envelop, and what hooks do
 * would never reach us.
 */
function refuseLaterExecutors(plugins: readonly object[], last: object): void {
  const later = plugins.slice(plugins.indexOf(last) + 1) as (Plugin | undefined)[];
  if (!later.some((plugin) => plugin?.onExecute)) return;
  throw new TypeError(
    'Expected `useIdempotency` to execute after all other plugins, but one with `onExecute` was put ' +
      'behind it. Use one `useIdempotency`, and list other plugins in `plugins` themselves',
  );
}

function isMutation({ document, operationName }: ExecutionArgs): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
}

/** Its client may have sent a key all the same, and reads codes: none may seem to be about it. */
function unguarded(execute: Executor, args: ExecutionArgs): Promise<ExecutionResult> {
  const executed = new Promise((resolve) => resolve(execute(args)));
  return new AwaitedByHooks(executed as Promise<ExecutionResult>, hideInnerRefusals);
}

const hideInnerRefusals: AroundHooks = {
  executed: (result) => result,
  async failed(error) {
    throw error;
  },
  finish: (result) => ('errors' in result ? outerResult(result) : (result as ExecutionResult)),
  async abandon(error) {
    throw outerError(error);
  },
};

/** Whatever hooks make of a refusal: clients read the code. */
function always(refused: ExecutionResult): AroundHooks {
  return { ...hideInnerRefusals, finish: () => refused };
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

function keySource(context: Partial<YogaInitialContext>): KeySource {
  const { request, params } = context;
  return {
    headers: request?.headers,
    extensions: params?.extensions,
    count: ServerContext.countOf(context),
  };
}
