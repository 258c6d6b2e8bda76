import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FramedInput } from './framed-input.ts';
import { inputText, writtenAtOnce } from './input-text.ts';

const frame = { before: '{"document":"mutation { pay }","variables":', without: '{}' };

test('an input of JSON has the text it would have otherwise, unless it is refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (value, isFramed) => {
      const input = isFramed ? new FramedInput(frame, value) : value;
      const written = writtenAtOnce(input);
      if (written) expect(inputText(written)).toBe(inputText(input));
      else expect(() => inputText(input)).toThrow();
    }),
  );
});

test('what is changed afterwards is not in the text', () => {
  const input = { cents: 5 };
  const written = writtenAtOnce(input);
  input.cents = 6;
  expect(inputText(written)).toBe('{"cents":5}');
});

test.each([
  ['a file', { file: new File(['hello'], 'a.txt') }],
  ['a promise', { file: Promise.resolve() }],
  ['bytes', { data: new Uint8Array(3) }],
  ['an instance that has a form in JSON', { at: new Date(0) }],
  ['a number that is not finite', { cents: Infinity }],
  ['a level too many', Array.from({ length: 64 }).reduce<unknown>((inner) => [inner], 1)],
  ['too much for one go', Array.from({ length: 20_000 }, (_, at) => [at])],
  ['nothing', undefined],
])('an input with %s is not written at once', (_, value) => {
  expect(writtenAtOnce(new FramedInput(frame, value))).toBeUndefined();
});
