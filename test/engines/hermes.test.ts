import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { bundleExercise } from './bundle-exercise.ts';
import { exerciseKeyValue } from './exercise-key-value.ts';
import { expectClient } from './expect-client.ts';
import { expectCore } from './expect-core.ts';

const hermes = hermesBinary();
const reason = `hermes-engine-cli has no binary for ${process.platform} on ${process.arch}`;
if (!hermes) console.warn(`Not tested in Hermes: ${reason}.`);

test('core works in Hermes, which has no crypto, once randomness is injected', async (context) => {
  if (!hermes) return context.skip(reason);
  const report = runInHermes(hermes, [
    subclassableError,
    lowered(await bundleExercise('core')),
    // Not random at all, so that the outcome is known; the clock stands still.
    `var next = 0;
     function random(bytes) { for (var i = 0; i < bytes.length; i++) bytes[i] = next++ & 255; return bytes; }
     function now() { return ${Date.UTC(2026, 0, 1)}; }
     print(JSON.stringify(onceward.exerciseCore({ random: random, now: now })));`,
  ]);
  const { first, firstMintedAt } = expectCore(JSON.parse(report));
  expect(firstMintedAt).toBe(Date.UTC(2026, 0, 1));
  expect(first).toBe('019b76da-a800-7607-8809-0a0b0c0d0e0f');
});

test('without randomness, Hermes learns what to inject', async (context) => {
  if (!hermes) return context.skip(reason);
  const printed = runInHermes(hermes, [
    subclassableError,
    lowered(await bundleExercise('core')),
    'try { onceward.exerciseCore(); } catch (error) { print(error.message); }',
  ]);
  expect(printed).toContain('pass `random` to `createKeyMinter`');
});

test('the client delivers in Hermes, with keys and timers that are injected', async (context) => {
  if (!hermes) return context.skip(reason);
  const report = runInHermes(hermes, [
    subclassableError,
    lowered(await bundleExercise('client')),
    // Time flies: what is not cancelled at once happens at once.
    `var clock = {
       now: function () { return 0; },
       setTimer: function (callback, ms) {
         var cancelled = ms > 1000;
         Promise.resolve().then(function () {}).then(function () { if (!cancelled) callback(); });
         return function () { cancelled = true; };
       },
     };
     function newKey() { return '019b76da-a800-7607-8809-0a0b0c0d0e0f'; }
     onceward.exerciseClient({ clock: clock, newKey: newKey }).then(
       function (report) { print(JSON.stringify(report)); },
       function (error) { print(error.stack); });`,
  ]);
  const { key } = expectClient(JSON.parse(report));
  expect(key).toBe('"019b76da-a800-7607-8809-0a0b0c0d0e0f"');
});

test('a journal over a key-value storage works in Hermes', async (context) => {
  if (!hermes) return context.skip(reason);
  const report = runInHermes(hermes, [
    subclassableError,
    lowered(await bundleExercise('key-value')),
    `onceward.exerciseKeyValue().then(
       function (report) { print(JSON.stringify(report)); },
       function (error) { print(error.stack); });`,
  ]);
  expect(JSON.parse(report)).toEqual(await exerciseKeyValue());
  expect(JSON.parse(report)).toEqual({
    kinds: ['inserted', 'joined'],
    sameBody: true,
    update: 'updated',
    removed: 'removed',
    seqs: [1, 3],
    nextSeq: 3,
    others: 0,
  });
});

/** Hermes 0.12 knows no classes; an app's build lowers them just so. */
function lowered(code: string): string {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: {
      target: ts.ScriptTarget.ES5,
      module: ts.ModuleKind.None,
      downlevelIteration: true,
      ignoreDeprecations: '6.0',
    },
  });
  return outputText;
}

/**
 * TypeScript's classes cannot extend the built-in `Error` in ES5: calling it makes a new object.
 * Babel, which React Native uses, wraps it in the same way.
 */
const subclassableError = `
  var Error = (function (Native) {
    function Wrapped(message, options) {
      return Reflect.construct(Native, [message, options], Object.getPrototypeOf(this).constructor);
    }
    Wrapped.prototype = Native.prototype;
    return Wrapped;
  })(Error);
`;

function runInHermes(binary: string, scripts: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'onceward-hermes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, 'script.js');
  writeFileSync(script, scripts.join('\n'));
  return execFileSync(binary, ['-w', script], { encoding: 'utf8' });
}

function hermesBinary(): string | undefined {
  const folders: Record<string, string> = {
    'linux-x64': 'linux64-bin/hermes',
    'darwin-x64': 'osx-bin/hermes',
    'darwin-arm64': 'osx-bin/hermes',
    'win32-x64': 'win64-bin/hermes.exe',
  };
  const binary = folders[`${process.platform}-${process.arch}`];
  if (!binary) return undefined;
  const manifest = createRequire(import.meta.url).resolve('hermes-engine-cli/package.json');
  const path = join(dirname(manifest), binary);
  if (!existsSync(path)) throw new Error(`hermes-engine-cli lacks ${binary}: run \`npm ci\``);
  return path;
}
