import { readFileSync, writeFileSync } from 'node:fs';
import type { FigureRow } from './figure-table.ts';
import { type Machine, sayMachine } from './machine.ts';

/** Puts tables into a document, each between the marks of its group. Other groups stay as they are. */
export function updateTables(
  file: string,
  groups: ReadonlyMap<string, readonly FigureRow[]>,
  machine: Machine,
): void {
  writeFileSync(file, withTables(readFileSync(file, 'utf8'), groups, machine));
}

export function withTables(
  document: string,
  groups: ReadonlyMap<string, readonly FigureRow[]>,
  machine: Machine,
): string {
  let text = document;
  for (const [group, rows] of groups) {
    const [begin, end] = [`<!-- bench:${group} -->`, `<!-- /bench:${group} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) continue;
    const caption = `Measured on ${machine.measuredAt.slice(0, 10)}: ${sayMachine(machine)}.`;
    const inside = `\n\n${markdownTable(rows)}\n\n${caption}\n\n`;
    text = text.slice(0, from + begin.length) + inside + text.slice(to);
  }
  return text;
}

/** As Prettier would have it. */
function markdownTable(rows: readonly FigureRow[]): string {
  const cells = [
    ['figure', 'median', '10 % to 90 % of the rounds', 'goal', ''],
    ...rows.map(({ name, median, spread, goal, verdict, reason }) => [
      `\`${name}\``,
      median,
      reason ?? spread,
      goal,
      verdict,
    ]),
  ];
  const widths = cells[0]!.map((_, column) =>
    Math.max(3, ...cells.map((row) => row[column]!.length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [head = [], ...rest] = cells;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rest.map(line)].join('\n');
}
