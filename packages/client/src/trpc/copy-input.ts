/**
 * A copy of an input as it is now, so that every attempt sends the same.
 *
 * Applications keep forms in objects that change while a retry waits. Only plain objects and
 * arrays are copied: everything else, such as a file, belongs to whoever serialises it.
 */
export function copyInput(input: unknown, copies = new Map<unknown, unknown>()): unknown {
  if (!isPlain(input)) return input;
  if (copies.has(input)) return copies.get(input);
  const copy = (Array.isArray(input) ? [...(input as unknown[])] : { ...input }) as typeof input;
  // Noted before its content is: an input may contain itself, and some transformers can send that.
  copies.set(input, copy);
  for (const name of Object.keys(copy)) copy[name] = copyInput(copy[name], copies);
  return copy;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}
