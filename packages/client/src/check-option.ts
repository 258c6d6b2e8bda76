/** A positive whole number: of milliseconds, or of tries. */
export function positive(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new TypeError(`Expected \`${name}\` to be a positive whole number, got ${value}`);
}

/** As `positive`, or `Infinity` for no limit. */
export function limit(name: string, value: number): number {
  return value === Infinity ? value : positive(name, value);
}

/** Catches a value of a caller that is not type-checked, before it fails in the middle of things. */
export function callable<T>(name: string, value: T): T {
  if (typeof value === 'function') return value;
  throw new TypeError(`Expected \`${name}\` to be a function`);
}
