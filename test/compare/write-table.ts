import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../tooling/packages.mjs';
import type { Verdict } from './compare.ts';
import type { Check } from './check.ts';
import type { Contender } from './contenders/contender.ts';

/** What was found, by check and contender. */
export type Verdicts = ReadonlyMap<Check, ReadonlyMap<Contender, Verdict>>;

const marks = { holds: '✓', 'by choice': '○', fails: '✗' } as const;

/** The table as Markdown. */
export function writeTable(verdicts: Verdicts, contenders: readonly Contender[]): string {
  const head = ['', ...contenders.map(({ name }) => name)];
  const rows = [...verdicts].map(([{ name }, found]) => [
    name,
    ...contenders.map((contender) => {
      const verdict = found.get(contender);
      return verdict ? `${marks[verdict.kind]} ${verdict.saw}` : '';
    }),
  ]);
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The whole document. */
export function writeDocument(verdicts: Verdicts, contenders: readonly Contender[]): string {
  const today = new Date().toISOString().slice(0, 10);
  return `# Compared

What becomes of a mutation in unpleasant moments: in this kit, and in other libraries for the same task. Written by
\`npm run compare\`, which starts two servers of each in processes of their own on an empty database, sends the same HTTP
requests to all of them, and looks at what was executed, what was answered and what was stored.

✓ is what the check demands. ○ is not, and is a choice: the library says so, does not know the notion, or leaves it to the
application, as is explained below. ✗ is neither. Every cell is what the last run has seen, and says nothing about what
it has not tried; counts of duplicates differ from run to run.

${writeTable(verdicts, contenders)}

${today}, Node.js ${process.version}: ${contenders.flatMap(versionsOf).join(', ')}.

## What is checked

${[...verdicts.keys()].map(({ name, demand }) => `- **${name}**: ${demand}.`).join('\n')}

## Choices

${choices(verdicts, contenders)}

## How they are set up

As their documentation begins, with nothing turned off that protects: \`test/compare/contenders\` has a file for each.

- **onceward** is a tRPC server whose mutations are \`external\`, and \`natural\` for the slow owner, which only a
  mutation that may be executed again can have. On Redis it accepts that a crash of Redis may lose keys.
- **@node-idempotency/core** is called before and after the handler, as its adapters for frameworks do. Those, and its
  adapter for PostgreSQL, could not be installed from the registry that was used, so what they do is not checked.
- **express-idempotency** runs on Express, and its handlers ask \`isHit\`, as its documentation demands.
- **@aws-lambda-powertools/idempotency** is made for functions that end with their invocation; here it is told the time
  that is left to one. Its payload validation is off, which is its default.
- **@dbos-inc/dbos-sdk** is an engine for durable workflows, with more to offer than keys. Its effect is inline in the
  workflow here, and every server is an executor of its own.

Not compared, because they could not be installed from that registry: hono-idempotency, @nestarc/idempotency, idempot-js,
and the adapters of @node-idempotency. Libraries for clients, and those that only remember within one process, have no
place in this table.
`;
}

function choices(verdicts: Verdicts, contenders: readonly Contender[]): string {
  return contenders
    .flatMap((contender) => {
      const made = [...verdicts].flatMap(([{ name }, found]) => {
        const choice = found.get(contender)?.choice;
        return choice === undefined ? [] : [`  - ${name}: ${choice}`];
      });
      return made.length === 0 ? [] : [`- **${contender.name}**`, ...made];
    })
    .join('\n');
}

function versionsOf({ packages }: Contender): string[] {
  return packages.map((name) => `${name} ${versionOf(name)}`);
}

function versionOf(name: string): string {
  const folder = name.startsWith('@onceward/')
    ? join(root, 'packages', name.slice('@onceward/'.length))
    : folderOf(name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

/** Not every package lets its manifest be imported. */
function folderOf(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name)).find((path) => isPackage(path));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

function isPackage(folder: string): boolean {
  try {
    readFileSync(join(folder, 'package.json'));
    return true;
  } catch {
    return false;
  }
}
