import { expect, test } from 'vitest';
import { openEngine } from '../../../../test/support/engine-fixture.ts';

test('a handler may copy its context, and its signal is the same one', async () => {
  const { mutation, newKey } = openEngine();
  const key = newKey();
  const { value } = await mutation().runOnce({ scope: 'alice', key }, (context) => {
    const copy = { ...context, user: 'alice' };
    return [copy.signal === context.signal, { ...copy, signal: copy.signal.aborted }];
  });
  expect(value).toEqual([true, { key, attempt: 1, signal: false, user: 'alice' }]);
});
