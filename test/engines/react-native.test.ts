import { beforeAll, describe, expect, test } from 'vitest';
import { bareEngines } from './bare-engine.ts';
import { bundleForReactNative } from './bundle-for-react-native.ts';
import { dispensable } from './exercise-app-journal.ts';
import { exerciseKeyValue } from './exercise-key-value.ts';
import { expectAppJournal } from './expect-app-journal.ts';
import { expectClient } from './expect-client.ts';
import { expectCore } from './expect-core.ts';
import { runBundle } from './run-bundle.ts';

let bundle: string;
beforeAll(async () => {
  bundle = await bundleForReactNative();
});

describe.for(bareEngines)('built by Metro, in $name', (engine) => {
  const { name, absent } = engine;
  if (absent) console.warn(`Not tested in ${name}: ${absent}.`);

  const report = (expression: string) => runBundle(bundle, expression, engine);

  test.skipIf(absent)('there is nothing but the language', async () => {
    expect(await report('onceward.missingGlobals()')).toEqual(dispensable);
  });

  test.skipIf(absent)('core works, once randomness is injected', async () => {
    const exercised = await report('onceward.exerciseCore({ random: random, now: now })');
    const { first, firstMintedAt } = expectCore(exercised);
    expect(firstMintedAt).toBe(Date.UTC(2026, 0, 1));
    expect(first).toBe('019b76da-a800-7607-8809-0a0b0c0d0e0f');
  });

  test.skipIf(absent)('without randomness, an app learns what to inject', async () => {
    expect(await report('onceward.exerciseCore()')).toMatchObject({
      error: expect.stringContaining('pass `random` to `createKeyMinter`'),
    });
  });

  test.skipIf(absent)('the client delivers, with keys and timers that are injected', async () => {
    const exercised = await report(`onceward.exerciseClient({
      clock: {
        now: function () { return 0; },
        // Time flies: what is not cancelled at once happens at once.
        setTimer: function (callback, ms) {
          var cancelled = ms > 1000;
          Promise.resolve().then(function () {}).then(function () { if (!cancelled) callback(); });
          return function () { cancelled = true; };
        },
      },
      newKey: function () { return '019b76da-a800-7607-8809-0a0b0c0d0e0f'; },
    })`);
    const { key } = expectClient(exercised);
    expect(key).toBe('"019b76da-a800-7607-8809-0a0b0c0d0e0f"');
  });

  test.skipIf(absent)('a journal delivers once, whatever happens to the app', async () => {
    expectAppJournal(await report('onceward.exerciseAppJournal({ random: random })'));
  });

  test.skipIf(absent)('so does one that keeps its rows in a key-value storage', async () => {
    expectAppJournal(await report('onceward.exerciseKeyValueApp({ random: random })'));
  });

  test.skipIf(absent)('a key-value storage keeps rows as they were', async () => {
    const exercised = await report('onceward.exerciseKeyValue()');
    expect(exercised).toEqual(await exerciseKeyValue());
    expect(exercised).toEqual({
      kinds: ['inserted', 'joined'],
      sameBody: true,
      update: 'updated',
      removed: 'removed',
      left: 2,
      numberIsNew: true,
      others: 0,
    });
  });
});
