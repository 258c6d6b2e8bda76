import type { Spread } from './spread.ts';

/** A line per overhead: the median, a bar as long as it is, and between what the rounds varied. */
export function printOverheads(overheads: Readonly<Record<string, Spread>>): void {
  const width = nameWidth(overheads);
  for (const [name, { median, low, high }] of Object.entries(overheads)) {
    const spread = `${percent(low)} to ${percent(high)}`;
    console.log(`${name.padEnd(width)} ${percent(median)}  ${bar(median)}  ${spread}`);
  }
}

/** A line per number: the median, and between what the rounds varied. */
export function printNumbers(numbers: Readonly<Record<string, Spread>>): void {
  const width = nameWidth(numbers);
  for (const [name, { median, low, high }] of Object.entries(numbers)) {
    console.log(`${name.padEnd(width)} ${plain(median)}  ${plain(low)} to ${plain(high)}`);
  }
}

function nameWidth(figures: Readonly<Record<string, Spread>>): number {
  return Math.max(...Object.keys(figures).map((name) => name.length));
}

const barWidth = 25;

/** Full at one half. */
function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share * 2)) * barWidth);
  return '█'.repeat(filled) + '·'.repeat(barWidth - filled);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`.padStart(8);
}

function plain(value: number): string {
  return value.toFixed(Math.abs(value) < 0.1 ? 5 : 2).padStart(8);
}
