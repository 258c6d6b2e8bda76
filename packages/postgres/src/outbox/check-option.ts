/** A time that a timer waits for. `setTimeout` takes anything longer for one millisecond. */
export function timerMs(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0 && value <= 2 ** 31 - 1) return value;
  throw new TypeError(
    `Expected \`${name}\` to be a whole number of milliseconds, from 1 to 2147483647, got ${value}`,
  );
}

/** A time that rows are kept: milliseconds, or `Infinity` for ever. */
export function retentionMs(name: string, value: number): number {
  if (value === Infinity || (Number.isSafeInteger(value) && value > 0)) return value;
  throw new TypeError(
    `Expected \`${name}\` to be a positive whole number of milliseconds, got ${value}`,
  );
}

export function positiveInteger(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new TypeError(`Expected \`${name}\` to be a positive whole number, got ${value}`);
}

/**
 * A name that PostgreSQL can keep: no NUL, no half of a surrogate pair. The value is not repeated,
 * because it may be a customer's.
 */
export function shortText(name: string, value: string, maxLength = 255): string {
  const kept = typeof value === 'string' && value.length > 0 && value.length <= maxLength;
  if (kept && !/[\0\p{Surrogate}]/u.test(value)) return value;
  throw new TypeError(
    `Expected \`${name}\` to be 1 to ${maxLength} characters of well-formed text without NUL`,
  );
}
