import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../tooling/packages.mjs';
import { openArenas } from './arena.ts';
import type { Check } from './check.ts';
import { checks } from './checks.ts';
import { compare, type Verdict } from './compare.ts';
import type { Contender } from './contenders/contender.ts';
import { contenders, kit } from './contenders/index.ts';
import { writeDocument, writeTable } from './write-table.ts';

/** Runs every check with every contender, prints the table and writes docs/compared.md. */
export async function main(): Promise<boolean> {
  using arenas = await openArenas();
  const verdicts = new Map<Check, Map<Contender, Verdict>>(
    checks.map((check) => [check, new Map<Contender, Verdict>()]),
  );
  for (const contender of contenders) {
    await using arena = await arenas.open(contender);
    for (const [at, check] of checks.entries()) {
      progress(`${contender.name}: ${check.name}`, at, checks.length);
      verdicts.get(check)?.set(contender, await compare(check, contender, arena));
    }
  }
  progress('', 0, 0);
  console.log(writeTable(verdicts, contenders));
  const path = join(root, 'docs/compared.md');
  const options = await resolveConfig(path);
  writeFileSync(
    path,
    await format(writeDocument(verdicts, contenders), { ...options, filepath: path }),
  );
  return checks.every((check) => kit.every((each) => verdicts.get(check)?.get(each)?.holds));
}

/** On a terminal, a line that changes. */
function progress(what: string, done: number, total: number): void {
  if (process.stderr.isTTY) {
    process.stderr.write(`\r\x1b[K${what && `${what} (${done + 1} of ${total})`}`);
  }
}
