import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { defaultFieldResolver, type GraphQLFieldConfig, type GraphQLSchema, Kind } from 'graphql';
import { intentAround } from '../../ambient/ambient-intent.ts';
import { createIdempotency } from '../idempotency.ts';
import type { IdempotencyOptions } from '../idempotency-options.ts';
import { incomingKey, type KeySource } from '../incoming-key.ts';
import { MutationCall } from '../mutation-call.ts';
import type { MarkedField } from '../schema-policy.ts';
import { fieldKey } from './field-key.ts';
import { guardedResolver, type ResolverCall, responseNameOf } from './guarded-resolver.ts';
import { outerResolver } from './outer-resolver.ts';
import { rememberingScalar } from './sent-scalars.ts';
import { wireArguments } from './wire-arguments.ts';
import { wrappedExtensions } from './wrapped-field.ts';

/**
 * As for every adapter, except that `select` of a field chooses from its arguments: an operation
 * may have other fields, and they are other intents.
 */
export interface IdempotentSchemaOptions<Context, Transaction> extends IdempotencyOptions<
  Context,
  Transaction
> {
  /**
   * Where the key of an operation may be, besides `@idempotent(key:)` on its fields.
   *
   * If the server takes several operations in one request, say how many came, as `count`. One key
   * in a header would otherwise be the key of all of them.
   */
  request?: (context: Context) => KeySource;
}

/**
 * A schema whose marked mutation fields run once per key, each for itself, on any server: a retry
 * of `mutation { charge ship }` replays the field that succeeded and runs the one that did not.
 *
 * What a marked resolver returns is stored as JSON, and the resolvers of its fields get that JSON
 * from the first delivery on. They are not stored: each delivery resolves what it selects.
 *
 * Whoever may call a field must be decided around it: in `context`, in `scope`, or by a transform
 * that is applied to the returned schema. A check inside the resolver is not made on a replay.
 *
 * @example
 * ```ts
 * const schema = idempotentSchema(makeExecutableSchema({ typeDefs, resolvers }), {
 *   store: postgresStore(pool),
 *   scope: (context: Context) => context.user.id,
 *   request: ({ headers, extensions }) => ({ headers, extensions }),
 * });
 * ```
 */
export function idempotentSchema<Context, Transaction = never>(
  schema: GraphQLSchema,
  { request = () => ({}), ...options }: IdempotentSchemaOptions<Context, Transaction>,
): GraphQLSchema {
  const idempotency = createIdempotency(options);
  const { keySyntax } = idempotency;
  const marked = idempotency.policyOf(schema);

  const callOf = (field: MarkedField, call: ResolverCall) => {
    const [, args, contextValue, info] = call;
    const { operation, fragments, fieldNodes, parentType, variableValues: variables } = info;
    const context = contextValue as Context;
    const responseName = responseNameOf(call);
    const sent = incomingKey(
      request(context),
      { operation, variables, nodes: fieldNodes },
      keySyntax,
    );
    const key = sent ?? intentAround()?.childKey(field.mutation.operation);
    const declared = parentType.getFields()[field.name]?.args ?? [];
    const input = wireArguments(args, declared, fieldNodes);
    const definitions = [operation, ...Object.values(fragments)];
    return new MutationCall({
      sent: { document: { kind: Kind.DOCUMENT, definitions }, operation, variables },
      field,
      responseName,
      scope: () => options.scope(context, { field: field.name }),
      key: key && fieldKey(key, responseName),
      input: field.select ? field.select(input) : input,
    });
  };

  return mapSchema(schema, {
    [MapperKind.SCALAR_TYPE]: rememberingScalar,
    [MapperKind.OBJECT_FIELD]: withOuterResolver,
    [MapperKind.MUTATION_ROOT_FIELD]: (config, name) => {
      const field = marked.get(name);
      if (!field) return withOuterResolver(config);
      return {
        ...config,
        extensions: wrappedExtensions(config),
        resolve: guardedResolver(config.resolve ?? defaultFieldResolver, (call) =>
          callOf(field, call),
        ),
      };
    },
  });
}

/** Fields without a resolver of their own stay so: a server may have its own default. */
function withOuterResolver(config: FieldConfig): FieldConfig {
  return config.resolve ? { ...config, resolve: outerResolver(config.resolve) } : config;
}

type FieldConfig = GraphQLFieldConfig<unknown, unknown>;
