import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { FramedInput } from './framed-input.ts';
import { inputText } from './input-text.ts';

/** As an operation has it: `variables` sorts after all other members. */
function framed(value: unknown): FramedInput {
  const without = canonicalJson({ document: 'mutation { pay }' });
  const before = `${without.slice(0, -1)},"variables":`;
  return new FramedInput({ before, without }, value);
}

const whole = (variables: unknown) => ({ document: 'mutation { pay }', variables });

describe('a framed input has the text of the whole object', () => {
  test.each([
    ['some members', { b: 1, a: ['x', null] }],
    ['none', {}],
    ['null', null],
    ['undefined', undefined],
    ['what has no JSON', { toJSON: () => undefined }],
    ['bytes', { data: new Uint8Array([1, 2, 3]) }],
    ['files', { file: new File(['hello'], 'a.txt') }],
    ['more than is written at once', { rows: Array.from({ length: 20_000 }, (_, at) => [at]) }],
  ])('with %s', async (_, variables) => {
    expect(await inputText(framed(variables))).toBe(await inputText(whole(variables)));
  });

  test('and may be as deep, and no deeper', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(inputText(framed(nested(63)))).toBe(inputText(whole(nested(63))));
    for (const input of [framed(nested(64)), whole(nested(64))]) {
      expect(() => inputText(input)).toThrow(
        expect.objectContaining({ details: { problem: 'too-deep' } }),
      );
    }
  });
});
