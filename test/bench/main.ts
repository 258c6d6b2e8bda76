// Measures what the kit costs, and what it can do: see README.md beside this file.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { updateTables } from './docs-tables.ts';
import { figureGroups, tableLines } from './figure-table.ts';
import { allFindings, type Findings } from './findings.ts';
import { describeMachine, sayMachine } from './machine.ts';
import { parts } from './parts.ts';
import { writePlots } from './plots/write-plots.ts';
import { openProgress } from './progress.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    plots: { type: 'string' },
    docs: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: Object.keys(parts) },
  },
});
const unknown = values.only.find((name) => !(name in parts));
if (unknown !== undefined) {
  throw new TypeError(`Expected --only to be one of ${Object.keys(parts).join(', ')}`);
}

const machine = describeMachine(new Date());
console.log(sayMachine(machine));
const progress = openProgress(process.stderr);
const found: Findings[] = [];
for (const [name, part] of Object.entries(parts)) {
  if (!values.only.includes(name)) continue;
  progress.begin(part.about);
  const onRound = (done: number, of: number) => progress.step(done, of);
  const findings = await part.measure({ quick: values.quick, onRound });
  progress.end();
  for (const rows of figureGroups(findings).values()) {
    console.log(`\n${tableLines(rows).join('\n')}`);
  }
  found.push(findings);
}

const { figures, rates, missing } = allFindings(found);
if (values.plots) writePlots(rates, values.plots);
if (values.docs) {
  writePlots(rates, 'docs/benchmarks');
  updateTables('docs/benchmarks.md', figureGroups({ figures, missing }), machine);
}
if (values.json) {
  const medians = Object.entries(figures).map(([name, { median }]) => [name, median] as const);
  const report = {
    ratios: Object.fromEntries(medians),
    ...{ spreads: figures, rates, missing, machine, quick: values.quick },
  };
  writeFileSync(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
}
