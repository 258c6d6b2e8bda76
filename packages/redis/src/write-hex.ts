/**
 * Writes bytes that are given as lower-case hexadecimal digits, and says whether they were.
 *
 * `Buffer.write(…, 'hex')` would need a regular expression beside it, for it stops at whatever it
 * cannot read; and for so few bytes, to call out of JavaScript takes longer than to do it here.
 */
export function writeHex(digits: string, bytes: Buffer, at: number): boolean {
  let wrong = 0;
  for (let index = 0; index < digits.length; index += 2) {
    const high = valueOf(digits.charCodeAt(index));
    const low = valueOf(digits.charCodeAt(index + 1));
    wrong |= high | low;
    bytes[at + (index >> 1)] = (high << 4) | low;
  }
  return wrong >= 0;
}

/** Of one digit; below zero for anything else, which an odd number of digits ends with. */
function valueOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}
