import { expect, expectTypeOf, test } from 'vitest';
import { openEngine } from '../../../../test/support/engine-fixture.ts';

test('a handler may copy its context, but for the signal, which TypeScript knows', async () => {
  const { mutation, newKey } = openEngine();
  const key = newKey();
  const { value } = await mutation().runOnce({ scope: 'alice', key }, (context) => {
    const copy = { ...context, user: 'alice' };
    expectTypeOf<keyof typeof copy>().toEqualTypeOf<'key' | 'attempt' | 'user'>();
    return { ...copy, signal: context.signal.aborted };
  });
  expect(value).toEqual({ key, attempt: 1, signal: false, user: 'alice' });
});
