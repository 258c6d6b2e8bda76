/**
 * The database's clock, at the moment a row is looked at.
 *
 * Not `now()`: that is when the transaction began, and a lease would stand still in a long one.
 */
export const clock = 'clock_timestamp()';

/** Milliseconds since 1970 by that clock. As `float8`, because that knows infinity. */
export const clockMs = `date_part('epoch', ${clock}) * 1000`;

/** The instant so many milliseconds from now: `inMs('$3')`. */
export function inMs(parameter: string): string {
  return instant(`${clockMs} + ${parameter}::float8`);
}

/** The instant at so many milliseconds since 1970. */
export function instant(ms: string): string {
  return `to_timestamp((${ms}) / 1000)`;
}

/** A column of instants as milliseconds since 1970, as every driver returns it alike. */
export function toMs(column: string): string {
  return `date_part('epoch', ${column}) * 1000`;
}

/** PostgreSQL's calendar ends in the year 294276: beyond a hundred thousand years is for ever. */
export function duration(ms: number): number {
  return ms > 100_000 * 365 * 24 * 60 * 60_000 ? Infinity : ms;
}
