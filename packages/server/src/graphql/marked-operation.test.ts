import { expect, test } from 'vitest';
import { buildSchema, parse } from '../../test/host-graphql.ts';
import { createMarkedOperations, type RequestedOperation } from './marked-operation.ts';
import type { MarkedField } from './schema-policy.ts';

const typeDefs = 'type Query { a: Int } type Mutation { pay: Int refund: Int ping: Int }';
const schema = buildSchema(typeDefs);
const unmarked = buildSchema(typeDefs);
const document = parse(/* GraphQL */ `
  query Ask {
    a
  }
  mutation Pay {
    paid: pay
  }
  mutation Refund {
    refund
  }
  mutation Ping {
    ping
  }
  mutation Either($pay: Boolean!) {
    pay @include(if: $pay)
    refund @skip(if: $pay)
  }
`);

function open() {
  const policy = new Map(['pay', 'refund'].map((name) => [name, { name } as MarkedField]));
  const find = createMarkedOperations((asked) => (asked === schema ? policy : new Map()));
  return (named: Partial<RequestedOperation>) => {
    const marked = find({ schema, document, ...named });
    return marked && [marked.responseName, marked.field.name, marked.operation.name?.value];
  };
}

/** Each twice, for what was found is kept; and again after the others. */
const deliveries = <T>(each: T[]): T[] => [...each.flatMap((one) => [one, one]), ...each];

test('each operation of a document has its own field', () => {
  const find = open();
  const expected: Record<string, unknown> = {
    Ask: undefined,
    Pay: ['paid', 'pay', 'Pay'],
    Refund: ['refund', 'refund', 'Refund'],
    Ping: undefined,
    None: undefined,
  };
  for (const operationName of deliveries(Object.keys(expected))) {
    expect(find({ operationName })).toEqual(expected[operationName]);
  }
});

test('what depends on variables is found for those that came', () => {
  const find = open();
  for (const pay of deliveries([true, false])) {
    const name = pay ? 'pay' : 'refund';
    const named = { operationName: 'Either', variableValues: { pay } };
    expect(find(named)).toEqual([name, name, 'Either']);
  }
});

test('what is marked in one schema need not be in another', () => {
  const find = open();
  for (const asked of deliveries([schema, unmarked])) {
    const found = find({ schema: asked, operationName: 'Pay' });
    expect(found).toEqual(asked === schema ? ['paid', 'pay', 'Pay'] : undefined);
  }
});

test('two marked fields are refused every time', () => {
  const find = open();
  const both = parse('mutation { pay refund }');
  for (let delivery = 0; delivery < 2; delivery++) {
    expect(() => find({ document: both })).toThrow('One key cannot cover several mutations');
  }
});
