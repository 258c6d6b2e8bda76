import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { collectGarbage } from '../../../../test/support/collect-garbage.ts';
import { operationFrame } from './operation-frame.ts';

const textOf = (source: string, name?: string) => operationFrame(parse(source), name).without;
const original = 'mutation M { pay(x: 1, s: "A") { id } }';

describe('two documents are the same operation', () => {
  test.each([
    ['white space, commas and comments', '# hi\nmutation   M{pay(x:1 s:"A"){id,}}'],
    ['how a character is escaped', 'mutation M { pay(x: 1, s: "\\u0041") { id } }'],
    ['another operation beside it', `${original} query Q { a }`],
    ['a fragment that it does not use', `${original} fragment F on Payment { id }`],
  ])('whatever %s', (_, source) => {
    expect(textOf(source, 'M')).toBe(textOf(original, 'M'));
  });
});

describe('two documents are different operations', () => {
  test.each([
    ['a literal', 'mutation M { pay(x: 2, s: "A") { id } }'],
    ['an alias', 'mutation M { p: pay(x: 1, s: "A") { id } }'],
    ['what is asked for', 'mutation M { pay(x: 1, s: "A") { id __typename } }'],
  ])('when %s differs', (_, source) => {
    expect(textOf(source, 'M')).not.toBe(textOf(original, 'M'));
  });

  test('when a fragment that they use differs', () => {
    const using = 'mutation M { pay { ...F } } fragment F on Payment';
    expect(textOf(`${using} { id }`, 'M')).not.toBe(textOf(`${using} { cents }`, 'M'));
  });
});

test('an operation without a name is found, and a text is made once per document', () => {
  const document = parse('mutation { pay }');
  expect(operationFrame(document, undefined).without).toBe(
    JSON.stringify({ document: 'mutation {\n  pay\n}' }),
  );
  expect(operationFrame(document, undefined)).toBe(operationFrame(document, undefined));
});

test('operations of one document do not share a text', () => {
  const document = parse('mutation M { a } mutation N { b }');
  expect(operationFrame(document, 'M').without).not.toBe(operationFrame(document, 'N').without);
});

test('a text goes with its document: nothing is kept of documents that come once', async () => {
  const documents = Array.from({ length: 50 }, (_, at) => {
    const document = parse(`mutation M { pay(x: ${at}) { id } }`);
    operationFrame(document, 'M');
    return new WeakRef(document);
  });
  await collectGarbage();
  // The last one may still be in a register.
  expect(documents.filter((document) => document.deref()).length).toBeLessThan(5);
});

test('names that a document does not have are not remembered with it', () => {
  const document = parse('mutation M { pay }');
  for (let at = 0; at < 3; at++) {
    expect(() => operationFrame(document, `N${at}`)).toThrow('contain the operation');
  }
  expect(operationFrame(document, 'M').without).toContain('pay');
});
