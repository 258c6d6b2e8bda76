import type {
  ApolloServerPlugin,
  BaseContext,
  GraphQLRequestContext,
  GraphQLResponse,
} from '@apollo/server';
import { IdempotencyError } from '@onceward/core';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { createIdempotency } from '../graphql/idempotency.ts';
import type { IdempotencyOptions } from '../graphql/idempotency-options.ts';
import { refuseIncremental } from '../graphql/incremental.ts';
import type { KeySource } from '../graphql/incoming-key.ts';
import { oneOf } from '../options/check-option.ts';
import { NotesOnObjects } from '../notes-on-objects.ts';
import { GuardedRequest } from './guarded-request.ts';
import { instrumentMutations } from './resolve-within.ts';
import { ResponseWriter } from './response.ts';

export interface IdempotencyPluginOptions<Context, Transaction> extends IdempotencyOptions<
  Context,
  Transaction
> {
  /**
   * - `http`: a refusal has its own status, 409 or 422, for every client.
   * - `spec`: only for `application/graphql-response+json`. `application/json` gets 200, as the
   *   GraphQL-over-HTTP specification recommends; the code is in the body.
   *
   * @defaultValue `'http'`
   */
  status?: 'http' | 'spec';
  /**
   * What happens to `@defer` and `@stream` in a marked mutation: its parts are collected into one
   * answer, or it is refused before it is executed. @defaultValue `'collect'`
   */
  incremental?: 'collect' | 'refuse';
}

/**
 * Executes marked mutations once per key, and replays their answers. It reserves when all plugins
 * have resolved the operation, so after every check of a right, and stores what `formatError` made
 * of errors. Put it last: plugins after it see its answers, but it may not see theirs.
 *
 * @example
 * ```ts
 * new ApolloServer<Context>({
 *   schema,
 *   plugins: [
 *     authPlugin(),
 *     idempotencyPlugin({ store: postgresStore(pool), scope: (context: Context) => context.user.id }),
 *   ],
 * });
 * ```
 */
export function idempotencyPlugin<Context extends BaseContext, Transaction = never>({
  status = 'http',
  incremental = 'collect',
  ...options
}: IdempotencyPluginOptions<Context, Transaction>): ApolloServerPlugin<Context> {
  const idempotency = createIdempotency(options);
  const http = { spec: oneOf('status', status, ['http', 'spec']) === 'spec' };
  const refuseParts = oneOf('incremental', incremental, ['collect', 'refuse']) === 'refuse';
  const requests = new NotesOnObjects<GuardedRequest>();
  const batches = new Batches();

  const prepare = (schema: GraphQLSchema) => {
    idempotency.policyOf(schema);
    instrumentMutations(schema);
  };
  const guardedRequest = (context: GraphQLRequestContext<Context>) => {
    const { request, schema, document, contextValue } = context;
    if (!document) return undefined;
    const call = idempotency.callOf({
      schema,
      document,
      contextValue,
      operationName: request.operationName,
      variableValues: request.variables,
      ...keySource(context, batches.sizeOf(context)),
    });
    if (!call) return undefined;
    if (refuseParts) refuseIncremental(call.sent);
    return new GuardedRequest(call, context, new ResponseWriter(context, http));
  };

  return {
    async serverWillStart({ schema }) {
      prepare(schema);
      return { schemaDidLoadOrUpdate: ({ apiSchema }) => prepare(apiSchema) };
    },

    async requestDidStart(started) {
      batches.add(started);
      let guarded: GuardedRequest | undefined;
      let refused = false;
      return {
        async responseForOperation(context) {
          try {
            guarded = guardedRequest(context);
            if (!guarded) return null;
            requests.set(context, guarded);
            if ((await guarded.begin()) === 'execute') return null;
          } catch (error) {
            writeRefusal(new ResponseWriter(context, http), error);
            refused = true;
          }
          return responseOf(context);
        },
        async executionDidStart() {
          await guarded?.executionStarted();
          return { executionDidEnd: async (error) => guarded?.executionEnded(error) };
        },
        async didEncounterSubsequentErrors(_context, errors) {
          guarded?.partFailed(errors);
        },
        async willSendResponse(context) {
          if (refused) return;
          // All plugins are called at once. What the others change at once is part of the answer.
          await Promise.resolve();
          if (guarded) await guarded.finish();
          // Its client may have sent a key all the same, and reads codes.
          else new ResponseWriter(context, http).hideInnerRefusals();
        },
      };
    },

    async unexpectedErrorProcessingRequest({ requestContext, error }) {
      await requests.get(requestContext)?.abandon(error);
    },
  };
}

function keySource({ request }: GraphQLRequestContext<object>, count: number): KeySource {
  return { headers: request.http?.headers, extensions: request.extensions, count };
}

/** Apollo Server hides whatever is thrown here, so what clients must see is returned. */
function writeRefusal(writer: ResponseWriter, error: unknown): void {
  if (IdempotencyError.is(error)) writer.refuse(error);
  else if (error instanceof Error && error.name === 'GraphQLError')
    writer.fail(error as GraphQLError);
  else throw error;
}

/** Its head is the one of the request: what is set there stays, and is merged with itself. */
function responseOf({ response }: GraphQLRequestContext<object>): GraphQLResponse {
  const { body, http } = response;
  if (!body) throw new TypeError('Expected an answer');
  return { body, http };
}

/** How many operations came in a request: those of a batch are told apart only by their number. */
class Batches {
  /** By what they share. All of them start before the first one goes on. */
  readonly #sizes = new WeakMap<object, number>();

  add({ response: { http } }: GraphQLRequestContext<object>): void {
    this.#sizes.set(http, (this.#sizes.get(http) ?? 0) + 1);
  }

  sizeOf({ response: { http } }: GraphQLRequestContext<object>): number {
    return this.#sizes.get(http) ?? 1;
  }
}
