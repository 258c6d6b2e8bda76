import type { Output } from '../cli-context.ts';

/** A line that is written over and over while long work goes on. */
export interface Progress {
  update(done: number, note: string): void;
  /** Takes the line away: what follows is the result. */
  end(): void;
}

/**
 * Shows progress to a person. Where nobody watches, nothing is written: a log is no place for it.
 *
 * The total is an estimate, so the bar stays below full until the end.
 */
export function startProgress(
  output: Output,
  { title, total }: { title: string; total: number },
): Progress {
  if (!output.isTTY) return { update: () => undefined, end: () => undefined };
  return {
    update(done, note) {
      const share = total > 0 ? Math.min(0.99, done / total) : 0;
      const bar = total > 0 ? ` ${barOf(share)} ${Math.floor(share * 100)}%` : '';
      output.write(`${ERASE_LINE}${title}${bar}  ${note}`);
    },
    end: () => output.write(ERASE_LINE),
  };
}

function barOf(share: number): string {
  const full = Math.round(share * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}]`;
}

const WIDTH = 24;
const ERASE_LINE = '\r\u001b[K';
