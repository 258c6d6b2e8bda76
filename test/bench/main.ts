// Measures what the kit costs, and what it can do: see README.md beside this file.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type MeasuredPart, updateTables } from './docs-tables.ts';
import { columnLines, figureRows, tableLines } from './figure-table.ts';
import { allFindings, type Findings } from './findings.ts';
import { describeMachine, sayMachine } from './machine.ts';
import { parts } from './parts.ts';
import { writePlots } from './plots/write-plots.ts';
import { openProgress } from './progress.ts';
import { vanished, withVanished } from './vanished.ts';

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
const measured = new Map<string, MeasuredPart>();
for (const [name, part] of Object.entries(parts)) {
  if (!values.only.includes(name)) continue;
  progress.begin(part.about);
  const onRound = (done: number, of: number) => progress.step(done, of);
  const measurement = await part.measure({ quick: values.quick, onRound });
  progress.end();
  const findings = withVanished(name, measurement);
  // The rest of the run is still worth having.
  if (vanished(name, measurement).length > 0) process.exitCode = 1;
  const rows = figureRows(findings);
  console.log(`\n${tableLines(rows).join('\n')}`);
  const { against = [], beside = [] } = findings;
  if (beside.length > 0) console.log(`\n${columnLines(beside).join('\n')}`);
  measured.set(name, { rows, against, beside, quick: values.quick });
  found.push(findings);
}

const { figures, rates, missing, against, beside } = allFindings(found);
if (values.plots) writePlots(rates, values.plots);
if (values.docs) {
  writePlots(rates, 'docs/benchmarks');
  updateTables('docs/benchmarks.md', measured, machine);
}
if (values.json) {
  const medians = Object.entries(figures).map(([name, { median }]) => [name, median] as const);
  const report = {
    ratios: Object.fromEntries(medians),
    ...{ spreads: figures, rates, missing, beside, machine, against, quick: values.quick },
  };
  writeFileSync(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
}
