/**
 * Dates as answers carry them. Answers of one moment expire in one second, and to write a date takes
 * longer than to look at the last one.
 */
export function httpDate(atMs: number): string {
  return secondOf(atMs).http;
}

/** As `toISOString()` writes it. */
export function isoDate(atMs: number): string {
  const second = secondOf(atMs);
  // Three digits: the first one of four is left out.
  return `${second.iso}${String(1_000 + Math.floor(atMs) - second.startsAt).slice(1)}Z`;
}

/** Answers that are kept for ever expire after the last date that HTTP can write. */
export const latestDateMs = Date.UTC(9999, 11, 31, 23, 59, 59);

interface Second {
  readonly startsAt: number;
  readonly http: string;
  /** Up to the milliseconds. */
  readonly iso: string;
}

let last: Second | undefined;

function secondOf(atMs: number): Second {
  const startsAt = Math.floor(atMs / 1_000) * 1_000;
  if (last?.startsAt === startsAt) return last;
  const date = new Date(startsAt);
  return (last = { startsAt, http: date.toUTCString(), iso: date.toISOString().slice(0, -4) });
}
