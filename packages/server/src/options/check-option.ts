/** A time that a timer waits for. `setTimeout` takes anything longer for one millisecond. */
export function timerMs(name: string, value: number): number {
  if (positiveMs(name, value) <= 2 ** 31 - 1) return value;
  throw new TypeError(`Expected \`${name}\` to be at most 2147483647 ms (24 days), got ${value}`);
}

export function positiveMs(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new TypeError(
    `Expected \`${name}\` to be a positive whole number of milliseconds, got ${value}`,
  );
}

/** A time that records are kept: milliseconds, or `Infinity` for ever. */
export function retentionMs(name: string, value: number): number {
  return value === Infinity ? value : positiveMs(name, value);
}

export function positiveInteger(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new TypeError(`Expected \`${name}\` to be a positive whole number, got ${value}`);
}

/** Catches a misspelt word of a caller that is not type-checked, before it is taken for another. */
export function oneOf<Word extends string>(
  name: string,
  value: Word,
  words: readonly Word[],
): Word {
  if (words.includes(value)) return value;
  const list = words.map((word) => `'${word}'`).join(' or ');
  throw new TypeError(`Expected \`${name}\` to be ${list}, got ${JSON.stringify(value)}`);
}
