import { getOperationAST, parse } from 'graphql';
import { expect, test } from 'vitest';
import { isMutationText } from './mutation-text.ts';

test.each<[string, string?]>([
  ['mutation { pay }'],
  ['mutation Pay($cents: Int = 1) @live { pay(cents: $cents) { id } }'],
  ['  # query\n mutation{pay}'],
  ['{ balance }'],
  ['query mutation { balance }'],
  ['query Q($mutation: M = { mutation: 1 }) { mutation(a: "mutation {") }'],
  ['subscription mutation { paid }'],
  ['fragment mutation on mutation { id } { balance ...mutation }'],
  ['fragment F on mutation { id } query { ...F }'],
  ['fragment F on Payment { id } mutation M { pay { ...F } }'],
  ['query Q @mutation { balance }'],
  ['query A { balance } mutation B { pay }', 'A'],
  ['query A { balance } mutation B { pay }', 'B'],
  ['mutation A { pay } query B { balance }', 'A'],
  ['mutation A { pay } query B { balance }', 'B'],
  ['query,A { balance },mutation,B { pay }', 'B'],
  ['fragment,mutation,on,mutation { id } { balance ...mutation }'],
  ['query Q @ mutation { balance }'],
  ['query A { f(text: """ \\""" } mutation B { """) } mutation B { pay }', 'B'],
  ['query A { f(text: "\\" } mutation B {") } query B { g }', 'B'],
  ['query A { f(text: "#") } # mutation B {\nquery B { g }', 'B'],
])('%s %s is read as the parser reads it', (text, name) => {
  const operation = String(getOperationAST(parse(text), name)?.operation);
  expect(isMutationText(text, name)).toBe(operation === 'mutation');
});

test.each(['', 'mutation', 'mutations { pay }', 'type mutation { id: ID }', '{'])(
  '%j has no mutation to execute',
  (text) => {
    expect(isMutationText(text, 'Pay')).toBe(false);
  },
);

test('a text that is not GraphQL takes no time to speak of', () => {
  const text = `"""${'\\"'.repeat(100_000)} ${'{'.repeat(100_000)}`;
  const startedAt = performance.now();
  expect(isMutationText(text)).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
