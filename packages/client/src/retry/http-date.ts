/**
 * Reads a date as HTTP writes it, in the current form and in the two that recipients must still
 * accept (RFC 9110 section 5.6.7). `undefined` when it is none of them.
 *
 * Not `Date.parse` alone: what it accepts differs between engines, it takes almost anything for a
 * date, and it reads the third form in the time zone of the device.
 */
export function parseHttpDate(text: string, nowMs: number): number | undefined {
  const match = fixedOrObsolete.exec(text.replace(asctime, 'Sun, $2 $1 $4 $3 GMT'));
  if (!match) return undefined;
  const [, day, month, year = '', time] = match;
  // The form of `toUTCString`, which every engine reads.
  const at = Date.parse(`Sun, ${day} ${month} ${fullYear(year, nowMs)} ${time} GMT`);
  return Number.isNaN(at) ? undefined : at;
}

// Without names for the groups, which older versions of Hermes do not know.
/** `Sun, 06 Nov 1994 08:49:37 GMT`, or `Sunday, 06-Nov-94 08:49:37 GMT`. */
const fixedOrObsolete = /^\w+, ([ \d]\d)[ -]([A-Z][a-z]{2})[ -](\d{4}|\d\d) ([\d:]{8}) GMT$/;
/** `Sun Nov  6 08:49:37 1994`. */
const asctime = /^\w+ (\w{3}) ([ \d]\d) ([\d:]{8}) (\d{4})$/;

/** Two digits that look like more than 50 years ahead are the last such year in the past. */
function fullYear(year: string, nowMs: number): string | number {
  if (year.length === 4) return year;
  const thisYear = new Date(nowMs).getUTCFullYear();
  const sameCentury = thisYear - (thisYear % 100) + Number(year);
  return sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury;
}
