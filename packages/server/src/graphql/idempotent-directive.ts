import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';

/**
 * `@idempotent` for schemas that are made in code. The same as `idempotentTypeDefs`, which are for
 * schemas in SDL.
 *
 * A function, because a directive belongs to the copy of graphql that made it, and importing this
 * package makes nothing.
 *
 * @example
 * ```ts
 * new GraphQLSchema({
 *   query,
 *   mutation,
 *   directives: [...specifiedDirectives, idempotentDirective()],
 * });
 * ```
 */
export function idempotentDirective(): GraphQLDirective {
  return new GraphQLDirective({
    name: 'idempotent',
    description:
      'Runs a mutation once per key, and answers every later delivery with the first answer.',
    locations: [DirectiveLocation.FIELD_DEFINITION, DirectiveLocation.FIELD],
    args: {
      required: {
        type: new GraphQLNonNull(GraphQLBoolean),
        defaultValue: true,
        description: 'In the schema: whether the mutation is refused without a key.',
      },
      effect: {
        type: effectType(),
        description: 'In the schema: what the mutation touches. Everything else follows from it.',
      },
      retention: {
        type: GraphQLInt,
        description: 'In the schema: for how many seconds the answer is replayed.',
      },
      key: {
        type: GraphQLString,
        description: 'In an operation: the key of the intent, the same on every retry.',
      },
    },
  });
}

function effectType(): GraphQLEnumType {
  return new GraphQLEnumType({
    name: 'IdempotencyEffect',
    description: 'What a mutation touches.',
    values: {
      ATOMIC: {
        description:
          'Writes only through the transaction it is handed: key and effect commit together.',
      },
      STEPS: { description: 'Runs named steps; finished ones are not run again.' },
      EXTERNAL: {
        description:
          'Calls something outside, inline. After a crash nobody knows whether it happened.',
      },
      NATURAL: { description: 'Is safe to repeat by itself.' },
    },
  });
}
