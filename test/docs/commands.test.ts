import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { root } from '../tooling/packages.mjs';
import { commandList } from './command-list.ts';
import { blocksOf, commandsOf, documents } from './documents.ts';

const found = documents()
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'sh')
  .flatMap((block) => commandsOf(block).map((command) => ({ command, place: block.place })));
const commands = new Set(found.map(({ command }) => command));
const ofExample = /^npm ci && npm start --workspace @onceward\/example-([\w-]+)$/;
/** What wrote `docs/chaos-report.md`: `npm run chaos`, for as long and with the seed that it was. */
const ofReport = /^npm run chaos -- --minutes [\d.]+ --seed \d+$/;

test('every command in a document is one that somebody runs, or says why nobody does', () => {
  const unlisted = found.filter(
    ({ command }) =>
      !Object.hasOwn(commandList, command) && !ofExample.test(command) && !ofReport.test(command),
  );
  expect(unlisted).toEqual([]);
});

test('no command is listed that no document has', () => {
  const gone = Object.keys(commandList).filter((command) => !commands.has(command));
  expect(gone).toEqual([]);
});

test('what runs a command according to the list does', () => {
  const runs = Object.values(commandList).flatMap((run) => ('file' in run ? [run] : []));
  expect(runs.filter(({ file, by }) => !read(file).includes(by))).toEqual([]);
});

test('the command of every example is run as it is written', () => {
  const tests = readdirSync(join(root, 'test/examples')).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const text = tests.map((name) => read(`test/examples/${name}`)).join('\n');
  const examples = [...commands].flatMap((command) => ofExample.exec(command)?.[1] ?? []);
  expect(examples.length).toBeGreaterThan(10);
  const idle = examples.filter((name) => !text.includes(`Example('${name}')`));
  expect(idle).toEqual([]);
});

describe('a command that is run here', () => {
  const expected = Object.entries(commandList).flatMap(([command, run]) =>
    'prints' in run ? [['shorter' in run ? run.shorter : command, run.prints] as const] : [],
  );
  // Several have the same shorter form.
  test.for([...new Map(expected)])('%s', { timeout: 120_000 }, async ([command, prints]) => {
    const [program = '', ...args] = command.split(' ');
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(program, args, options);
    expect(stdout).toMatch(prints);
  });
});

test('every script that is mentioned anywhere is one of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const mentioned = documents().flatMap(({ path, text }) =>
    [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => ({ path, script })),
  );
  expect(mentioned.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
