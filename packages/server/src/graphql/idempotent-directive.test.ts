import {
  buildSchema,
  GraphQLInt,
  GraphQLObjectType,
  GraphQLSchema,
  parse,
  printSchema,
  specifiedDirectives,
  validate,
  validateSchema,
} from 'graphql';
import { expect, test } from 'vitest';
import { idempotentDirective } from './idempotent-directive.ts';
import { idempotentTypeDefs } from './type-defs.ts';

test('the directive of schemas in code is the one of schemas in SDL', () => {
  const field = { a: { type: GraphQLInt } };
  const inCode = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: field }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: field }),
    directives: [...specifiedDirectives, idempotentDirective()],
  });
  const inSdl = buildSchema(`${idempotentTypeDefs} type Query { a: Int } type Mutation { a: Int }`);
  expect(validateSchema(inCode)).toEqual([]);
  expect(definitions(inCode)).toEqual(definitions(inSdl));
  expect(validate(inCode, parse('mutation { a @idempotent(key: "k") }'))).toEqual([]);
});

/** What is declared, in whatever order. */
function definitions(schema: GraphQLSchema): string[] {
  return printSchema(schema).split('\n\n').sort();
}
