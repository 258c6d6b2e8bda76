import type { Findings } from './findings.ts';
import { type Goal, goalOf, isMet, sayGoal } from './goals.ts';

/** One line of the table. */
export interface FigureRow {
  readonly name: string;
  readonly median: string;
  /** Between what the rounds varied; empty where there was one. */
  readonly spread: string;
  /** As long as the value is beside its goal, or beside parity. */
  readonly bar: string;
  readonly goal: string;
  readonly verdict: 'met' | 'missed' | 'not here' | '';
  /** Why it could not be measured here. */
  readonly reason?: string;
}

/** The figures of one part, ready to be printed or written down. */
export function figureRows({ figures, missing = {} }: Findings): readonly FigureRow[] {
  const rows: FigureRow[] = [];
  for (const [name, { median, low, high }] of Object.entries(figures)) {
    if (name in missing) continue;
    const say = sayerOf(name);
    const goal = goalOf(name);
    rows.push({
      name,
      median: say(median),
      spread: low === high ? '' : `${say(low)} to ${say(high)}`,
      bar: bar(median, goal ?? (name.includes('vs_') ? { atLeast: 1 } : undefined)),
      goal: goal ? sayGoal(goal, say) : '',
      verdict: goal ? (isMet(goal, median) ? 'met' : 'missed') : '',
    });
  }
  for (const [name, reason] of Object.entries(missing)) {
    const goal = goalOf(name);
    rows.push({
      ...{ name, median: '–', spread: '', bar: bar(0, undefined), reason },
      goal: goal ? sayGoal(goal, sayerOf(name)) : '',
      verdict: 'not here',
    });
  }
  return rows;
}

/** For people: one line per figure, in columns. */
export function tableLines(rows: readonly FigureRow[]): string[] {
  const width = (column: keyof FigureRow) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length));
  const widths = { name: width('name'), median: width('median'), spread: width('spread') };
  const goalWidth = width('goal');
  return rows.map(({ name, median, spread, bar: drawn, goal, verdict, reason }) =>
    [
      name.padEnd(widths.name),
      median.padStart(widths.median),
      drawn,
      goal.padStart(goalWidth),
      verdict.padEnd(8),
      reason ?? spread,
    ]
      .join('  ')
      .trimEnd(),
  );
}

/** For people: cells in columns. */
export function columnLines(cells: readonly (readonly string[])[]): string[] {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const barWidth = 24;

/** The goal is in the middle, where the mark is. */
function bar(value: number, goal: Goal | undefined): string {
  const empty = '·'.repeat(barWidth);
  if (!goal) return ' '.repeat(barWidth + 1);
  const aim = 'atLeast' in goal ? goal.atLeast : goal.atMost;
  const share = aim === 0 ? Number(value > 0) : Math.min(1, Math.max(0, value / aim / 2));
  const filled = Math.round(share * barWidth);
  const drawn = '█'.repeat(filled) + empty.slice(filled);
  return `${drawn.slice(0, barWidth / 2)}│${drawn.slice(barWidth / 2)}`;
}

/** Shares in percent, everything else with as many digits as say something. */
function sayerOf(name: string): (value: number) => string {
  if (name.includes('overhead')) return (value) => `${(value * 100).toFixed(1)} %`;
  return (value) => {
    if (Number.isInteger(value)) return String(value);
    if (Math.abs(value) >= 100) return value.toFixed(0);
    return value.toFixed(Math.abs(value) < 0.1 ? 4 : 2);
  };
}
