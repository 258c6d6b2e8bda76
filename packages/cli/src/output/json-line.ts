/**
 * One JSON document in one line, for programs.
 *
 * JSON has no number for infinity: what never ends is `null`.
 */
export function jsonLine(document: object): string {
  return `${JSON.stringify(document)}\n`;
}
