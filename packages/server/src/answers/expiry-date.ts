/**
 * A date as headers carry it. Answers of one moment expire in one second, and to write a date takes
 * longer than to look at the last one.
 */
export function httpDate(atMs: number): string {
  const second = Math.floor(atMs / 1_000);
  if (last?.second !== second) last = { second, date: new Date(second * 1_000).toUTCString() };
  return last.date;
}

let last: { readonly second: number; readonly date: string } | undefined;

/** Answers that are kept for ever expire after the last date that HTTP can write. */
export const latestDateMs = Date.UTC(9999, 11, 31, 23, 59, 59);
