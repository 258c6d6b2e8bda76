/**
 * The part of `node:assert/strict` that the conformance suite of journals uses, for a page that
 * has no Node.js.
 */
const assert = {
  ok(value: unknown, message = 'not ok'): void {
    if (!value) throw new Error(message);
  },
  equal(actual: unknown, expected: unknown, message = 'not equal'): void {
    assert.ok(Object.is(actual, expected), `${message}: ${show(actual)}, not ${show(expected)}`);
  },
  deepEqual(actual: unknown, expected: unknown, message = 'not equal'): void {
    assert.equal(show(actual), show(expected), message);
  },
};

export default assert;

/** Text that is equal for equal rows, in whichever order their properties are. */
function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const properties = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${properties.map(([name, held]) => `${name}: ${show(held)}`).join()}}`;
}
