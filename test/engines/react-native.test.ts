import { beforeAll, describe, expect, test } from 'vitest';
import { bareEngines } from './bare-engine.ts';
import { bundleForReactNative } from './bundle-for-react-native.ts';
import { dispensable } from './exercise-journal.ts';
import { expectClient } from './expect-client.ts';
import { expectCore } from './expect-core.ts';
import { expectJournal } from './expect-journal.ts';

let bundle: string;
beforeAll(async () => {
  bundle = await bundleForReactNative();
});

/** Not random at all, so that the outcome is known; the clock stands still. */
const platform = `
  var next = 0;
  function random(bytes) { for (var i = 0; i < bytes.length; i++) bytes[i] = next++ & 255; return bytes; }
  function now() { return ${Date.UTC(2026, 0, 1)}; }
`;

describe.for(bareEngines)('built by Metro, in $name', ({ name, absent, run }) => {
  if (absent) console.warn(`Not tested in ${name}: ${absent}.`);

  /** Evaluates an expression after the bundle, in an engine that has lost what it may have had. */
  const report = async (expression: string): Promise<unknown> => {
    const printed = await run(`
      ${JSON.stringify(dispensable)}.forEach(function (name) { delete globalThis[name]; });
      ${bundle}
      ${platform}
      Promise.resolve().then(function () { return ${expression}; }).then(
        function (report) { print(JSON.stringify(report)); },
        function (error) { print(JSON.stringify({ error: error.message, stack: error.stack })); });
    `);
    return JSON.parse(printed);
  };

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
    expectJournal(await report('onceward.exerciseJournal({ random: random })'));
  });
});
