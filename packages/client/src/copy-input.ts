/**
 * A copy of an input as it is now, so that every attempt sends the same.
 *
 * Applications keep forms in objects that change while a retry waits. Copied are plain objects and
 * arrays with all they contain, dates, and the entries of maps and sets. Everything else, such as a
 * `FormData`, bytes or an instance of a class, belongs to whoever serialises it.
 */
export function copyInput(input: unknown, copies = new Map<unknown, unknown>()): unknown {
  if (copies.has(input)) return copies.get(input);
  const copy = shallowCopy(input) as Record<string, unknown>;
  if (copy === input) return input;
  // Noted before its content is: an input may contain itself, and some transformers can send that.
  copies.set(input, copy);
  for (const name of Object.keys(copy)) copy[name] = copyInput(copy[name], copies);
  return copy;
}

/** Not by `instanceof`: what extends one of these classes is not ours to rebuild. */
function shallowCopy(input: unknown): unknown {
  if (Array.isArray(input)) return [...(input as unknown[])];
  const prototype: unknown = Object.getPrototypeOf(input ?? 0);
  if (prototype === Date.prototype) return new Date(input as Date);
  if (prototype === Map.prototype) return new Map(input as Map<unknown, unknown>);
  if (prototype === Set.prototype) return new Set(input as Set<unknown>);
  return prototype === null || prototype === Object.prototype ? { ...(input as object) } : input;
}
