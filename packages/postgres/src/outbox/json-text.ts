/**
 * Writes a value as JSON that gives the same value back, or says in a few words why there is none.
 *
 * `JSON.stringify` would make something of almost anything: a `Map` becomes `{}`, `NaN` becomes
 * `null`, a `Date` a string, and whoever reads it finds out much later.
 */
export function jsonText(value: unknown): JsonText {
  const problem = problemWith(value, 0);
  return problem === undefined
    ? { kind: 'json', text: JSON.stringify(value) }
    : { kind: 'no-json', problem };
}

export type JsonText =
  | { readonly kind: 'json'; readonly text: string }
  /** Such as `holds a Date`. Names kinds of values, never a value. */
  | { readonly kind: 'no-json'; readonly problem: string };

function problemWith(value: unknown, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels, or holds itself`;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `holds the number ${value}`;
    case 'object':
      return value === null ? undefined : problemWithObject(value, depth);
    default:
      return `holds ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`;
  }
}

function problemWithObject(value: object, depth: number): string | undefined {
  const array = Array.isArray(value);
  if (!array && !isPlain(value)) return `holds a ${kindOf(value)}`;
  if ('toJSON' in value) return 'holds an object with a method `toJSON`';
  // An absent property and one that is undefined are alike to most readers; a hole in a list is not.
  const parts: unknown[] = array ? Array.from(value) : definedValues(value);
  for (const part of parts) {
    const problem = problemWith(part, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function definedValues(value: object): unknown[] {
  return Object.values(value).filter((part) => part !== undefined);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function kindOf(value: object): string {
  const { constructor } = value as { constructor?: unknown };
  return typeof constructor === 'function' && constructor.name ? constructor.name : 'object';
}

/** As for inputs of mutations. */
const MAX_DEPTH = 64;
