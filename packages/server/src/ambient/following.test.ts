import { currentIntent, followIntents, following, sharedIntents } from '@onceward/core';
import { beforeEach, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { openEngine } from '../../../../test/support/engine-fixture.ts';

beforeEach(() => Object.assign(following(), { asked: false, missed: 0 }));

const storage = () => {
  return sharedIntents(() => {
    throw new Error('Expected the engine to have made one');
  });
};

test('before somebody may ask, no async context is entered', async () => {
  const { mutation, newKey } = openEngine();
  const { value } = await mutation().runOnce({ scope: 'alice', key: newKey() }, async () => {
    await Promise.resolve();
    return storage().getStore() ?? 'none';
  });
  expect(value).toBe('none');
});

test('whoever asks without having said so is told, wherever they ask', async () => {
  const { mutation, newKey } = openEngine();
  expect(() => currentIntent()).toThrow('Expected `followIntents()`');
  await mutation().runOnce({ scope: 'alice', key: newKey() }, () => {
    expect(() => currentIntent()).toThrow('Expected `followIntents()`');
  });
});

test('what began before somebody asked is never taken for no mutation', async () => {
  const { mutation, newKey } = openEngine();
  await mutation().runOnce({ scope: 'alice', key: newKey() }, async () => {
    followIntents();
    await Promise.resolve();
    expect(() => currentIntent()).toThrow('this may be one of them');
    const inner = { scope: 'alice', key: newKey() };
    const { value } = await mutation().runOnce(inner, () => currentIntent()?.key);
    expect(value).toBe(inner.key);
  });
  expect(currentIntent()).toBeUndefined();
});

test('while what is followed is executed, whoever is outside of it is in no mutation', async () => {
  followIntents();
  const { mutation, newKey } = openEngine();
  const [entered, paid] = [deferred(), deferred()];
  const run = mutation().runOnce({ scope: 'alice', key: newKey() }, () => {
    entered.resolve();
    return paid.promise;
  });
  await entered.promise;
  expect(currentIntent()).toBeUndefined();
  paid.resolve();
  await run;
});

test('what fails is over as well', async () => {
  const { mutation, newKey } = openEngine();
  const run = mutation().runOnce({ scope: 'alice', key: newKey() }, () => {
    throw new Error('declined');
  });
  await expect(run).rejects.toThrow();
  expect(following().missed).toBe(0);
});
