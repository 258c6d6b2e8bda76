/** What JSON makes of a value, or that it has no JSON form which says the same. */
export type JsonCopy = { readonly kind: 'copy'; readonly value: unknown } | { kind: 'none' };

/**
 * Copies what a resolver returned by way of JSON: own enumerable properties, or whatever `toJSON`
 * returns, so that the resolvers of its fields see the same now as when it is replayed.
 */
export function jsonCopy(value: unknown): JsonCopy {
  if (value === undefined) return { kind: 'copy', value };
  try {
    return { kind: 'copy', value: JSON.parse(JSON.stringify(value, refuseUnwritable)) as unknown };
  } catch {
    return { kind: 'none' };
  }
}

/**
 * Stands for a value that has no copy. Whoever tries to store it fails, and the record then says
 * that it happened and that the answer is gone.
 */
export const unwritable = {
  toJSON(): never {
    throw new TypeError('The resolver returned something that has no JSON form');
  },
};

/** GraphQL calls functions, awaits promises and walks iterables; JSON drops or empties them. */
function refuseUnwritable(_name: string, value: unknown): unknown {
  const refused =
    typeof value === 'function' ||
    typeof value === 'symbol' ||
    (typeof value === 'number' && !Number.isFinite(value)) ||
    (typeof value === 'object' && value !== null && isLive(value));
  if (refused) throw new TypeError('JSON would write something else');
  return value;
}

function isLive(value: object): boolean {
  if (Array.isArray(value)) return false;
  return (
    value instanceof Error ||
    'then' in value ||
    Symbol.iterator in value ||
    Symbol.asyncIterator in value
  );
}
