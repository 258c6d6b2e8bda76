/**
 * A copy of an input as it is now, so that every attempt sends the same.
 *
 * Applications keep forms in objects that change while a retry waits. Only plain objects and
 * arrays are copied: everything else, such as a file, belongs to whoever serialises it.
 */
export function copyInput<T>(input: T, copies = new Map<unknown, unknown>()): T {
  if (!isPlain(input)) return input;
  const known = copies.get(input) as T | undefined;
  if (known) return known;
  // Noted before it is filled: an input may contain itself, which some transformers can send.
  const copy = (Array.isArray(input) ? [] : {}) as T & object;
  copies.set(input, copy);
  for (const [name, value] of Object.entries(input)) {
    // Not assigned, because that would set the prototype for the name `__proto__`.
    const property = { value: copyInput<unknown>(value, copies), ...writable };
    Object.defineProperty(copy, name, property);
  }
  return copy;
}

const writable = { writable: true, enumerable: true, configurable: true };

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}
