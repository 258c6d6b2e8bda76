/** Turns values into JSON and back, as `superjson` does. */
export interface Transformer {
  serialize(value: unknown): unknown;
  deserialize(json: never): unknown;
}

/** A value as text. Throws, before anything is lost, for what would not come back as it was. */
export function toText(value: unknown, transformer?: Transformer): string {
  // In an object, because there is no JSON for the answer of a mutation that has none.
  return transformer
    ? JSON.stringify({ value: transformer.serialize(value) })
    : JSON.stringify({ value }, checked);
}

export function fromText(text: string, transformer?: Transformer): unknown {
  const { value } = JSON.parse(text) as { value: unknown };
  return transformer ? transformer.deserialize(value as never) : value;
}

/** Looks at what is written, not at what `toJSON` makes of it. */
function checked(this: Record<string, unknown>, name: string, written: unknown): unknown {
  if (isJson(this[name])) return written;
  throw new TypeError(`Expected JSON as \`${name}\`: pass \`transformer\``);
}

function isJson(value: unknown): boolean {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  }
  return /^(bo|ob|st|un)/.test(typeof value) || Number.isFinite(value);
}
