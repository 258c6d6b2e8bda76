import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { collectGarbage } from '../../../../test/support/collect-garbage.ts';
import { operationText } from './operation-text.ts';

const textOf = (source: string, name?: string) => operationText(parse(source), name).text;
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
  expect(operationText(document, undefined).text).toBe(JSON.stringify('mutation {\n  pay\n}'));
  expect(operationText(document, undefined)).toBe(operationText(document, undefined));
});

test('operations of one document do not share a text', () => {
  const document = parse('mutation M { a } mutation N { b }');
  expect(operationText(document, 'M').text).not.toBe(operationText(document, 'N').text);
});

test('a text goes with its document: nothing is kept of documents that come once', async () => {
  const documents = Array.from({ length: 50 }, (_, at) => {
    const document = parse(`mutation M { pay(x: ${at}) { id } }`);
    operationText(document, 'M');
    return new WeakRef(document);
  });
  await collectGarbage();
  // The last one may still be in a register.
  expect(documents.filter((document) => document.deref()).length).toBeLessThan(5);
});

test('names that a document does not have are not remembered with it', () => {
  const document = parse('mutation M { pay }');
  for (let at = 0; at < 3; at++) {
    expect(() => operationText(document, `N${at}`)).toThrow('contain the operation');
  }
  expect(operationText(document, 'M').text).toContain('pay');
});
