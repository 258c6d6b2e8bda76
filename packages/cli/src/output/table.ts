import { printable } from '@onceward/core';

export interface Column {
  readonly title: string;
  /** Numbers are compared by their last digit. @defaultValue `'left'` */
  readonly align?: 'left' | 'right';
}

/** Lines up rows below the titles of their columns, for people. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => row.map(printable))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const lines = cells.map((row) =>
    columns
      .map(({ align }, at) => {
        const [cell = '', width = 0] = [row[at], widths[at]];
        return align === 'right' ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Names and values below each other. Leaves out what has no value. */
export function formatFacts(facts: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([name]) => name.length));
  const lines = known.map(([name, value]) => `${name.padEnd(width)}  ${printable(value ?? '')}`);
  return `${lines.join('\n')}\n`;
}
