import { expect, test } from 'vitest';
import { type Replacement, replaceText } from './replace-text.mjs';

const sample: Replacement = {
  file: 'packages/core/src/index.ts',
  find: 'one',
  replace: '$& two',
};

test('the text is replaced as it is written', () => {
  expect(replaceText(sample, 'zero one three')).toBe('zero $& two three');
});

test.for<[overrides: Partial<Replacement>, reason: string]>([
  [{ find: 'two' }, 'its text is not in packages/core/src/index.ts'],
  [{ find: '' }, 'its text is not in packages/core/src/index.ts'],
  [{ find: 'e' }, 'its text is 4 times in packages/core/src/index.ts'],
  [{ replace: 'one' }, 'it replaces its text by the same text'],
])('%o is refused: %s', ([overrides, reason]) => {
  expect(() => replaceText({ ...sample, ...overrides }, 'zero one three')).toThrow(reason);
});
