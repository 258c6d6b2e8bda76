import type { Overhead } from './overhead.ts';

/** A line per overhead: the median, a bar as long as it is, and between what the rounds varied. */
export function printOverheads(overheads: Readonly<Record<string, Overhead>>): void {
  const width = Math.max(...Object.keys(overheads).map((name) => name.length));
  for (const [name, { median, low, high }] of Object.entries(overheads)) {
    const spread = `${percent(low)} to ${percent(high)}`;
    console.log(`${name.padEnd(width)} ${percent(median)}  ${bar(median)}  ${spread}`);
  }
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
