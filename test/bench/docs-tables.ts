import { readFileSync, writeFileSync } from 'node:fs';
import type { FigureRow } from './figure-table.ts';
import { type Machine, sayMachine } from './machine.ts';

/** What one part found out, and how it was asked. */
export interface MeasuredPart {
  readonly rows: readonly FigureRow[];
  /** Servers, with their versions. */
  readonly against: readonly string[];
  /** Words that belong beside the figures: a table, its head first. */
  readonly beside: readonly (readonly string[])[];
  readonly quick: boolean;
}

/** Puts tables into a document, each between the marks of its part. Other parts stay as they are. */
export function updateTables(
  file: string,
  parts: ReadonlyMap<string, MeasuredPart>,
  machine: Machine,
): void {
  writeFileSync(file, withTables(readFileSync(file, 'utf8'), parts, machine));
}

export function withTables(
  document: string,
  parts: ReadonlyMap<string, MeasuredPart>,
  machine: Machine,
): string {
  let text = document;
  for (const [name, part] of parts) {
    const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`Expected ${begin} and ${end} in the document`);
    const tables = [figureTable(part.rows), markdownTable(part.beside)].filter(Boolean);
    const inside = `\n\n${[...tables, captionOf(name, part, machine)].join('\n\n')}\n\n`;
    text = text.slice(0, from + begin.length) + inside + text.slice(to);
  }
  return text;
}

/** When, how and on what: tables of one document may come from different runs. */
function captionOf(name: string, { against, quick }: MeasuredPart, machine: Machine): string {
  const at = machine.measuredAt.slice(0, 16).replace('T', ' ');
  const asked = `npm run bench -- --only ${name}${quick ? ' --quick' : ''}`;
  const on = [sayMachine(machine), ...against].join(', ');
  return `Measured on ${at} UTC, as by \`${asked}\`: ${on}.`;
}

function figureTable(rows: readonly FigureRow[]): string {
  return markdownTable([
    ['figure', 'median', '10 % to 90 %', 'goal', ''],
    ...rows.map(({ name, median, spread, goal, verdict, reason }) => [
      `\`${name}\``,
      median,
      reason ?? spread,
      goal,
      verdict,
    ]),
  ]);
}

/** As Prettier would have it. */
function markdownTable(cells: readonly (readonly string[])[]): string {
  const [head, ...rest] = cells;
  if (!head) return '';
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rest.map(line)].join('\n');
}
