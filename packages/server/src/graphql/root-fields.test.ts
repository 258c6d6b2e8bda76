import { type ExecutionResult, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { expect, test } from 'vitest';
import { buildSchema, execute, parse } from '../../test/host-graphql.ts';
import { rootFields } from './root-fields.ts';

const document = parse(/* GraphQL */ `
  mutation M($skip: Boolean!, $include: Boolean = true) {
    first: pay(cents: 1)
    ...Payments
    ... on Mutation {
      ping
    }
    ... @include(if: $include) {
      second: pay(cents: 2)
    }
    third: pay(cents: 3) @skip(if: $skip)
    never: pay(cents: 4) @skip(if: true)
    __typename
  }
  fragment Payments on Mutation {
    fourth: pay(cents: 4)
    first: pay(cents: 1)
    ...Payments
  }
  mutation Other {
    ping
  }
`);

test.each([
  [{ skip: true, include: false }, ['first', 'fourth', 'ping', '__typename']],
  [{ skip: false, include: true }, ['first', 'fourth', 'ping', 'second', 'third', '__typename']],
  // A variable that was not sent has its default.
  [{ skip: true }, ['first', 'fourth', 'ping', 'second', '__typename']],
])('with %j, the fields are %j', (variables, names) => {
  const operation = operationNamed('M');
  const { fields: found } = rootFields({ document, operation, variables });
  expect([...found.keys()]).toEqual(names);
});

test('an operation that comes again with other fragments has other fields', () => {
  const parsed = parse('mutation M { ...F } fragment F on Mutation { pay }');
  const operation = getOperationAST(parsed, 'M')!;
  const other = parse('fragment F on Mutation { refund }');
  const fieldsWith = (fragments: typeof parsed) => {
    const sent = { ...parsed, definitions: [operation, ...fragments.definitions.slice(-1)] };
    return [...rootFields({ document: sent, operation, variables: {} }).fields.keys()];
  };
  expect([fieldsWith(parsed), fieldsWith(other)]).toEqual([['pay'], ['refund']]);
});

test('it finds what an executor executes', () => {
  const schema = buildSchema(
    'type Query { a: Int } type Mutation { pay(cents: Int!): Int ping: Int }',
  );
  const variables = { skip: false };
  const operation = operationNamed('M');
  const args = { schema, document, operationName: 'M', variableValues: variables };
  const { data } = execute(args) as ExecutionResult;
  const { fields: found } = rootFields({ document, operation, variables });
  expect([...found.keys()]).toEqual(Object.keys(data ?? {}));
});

function operationNamed(name: string): OperationDefinitionNode {
  return getOperationAST(document, name)!;
}
