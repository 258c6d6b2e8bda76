/** Turns values into JSON and back, as `superjson` does. */
export interface Transformer {
  serialize(value: unknown): unknown;
  deserialize(json: never): unknown;
}

/** A value as text. Throws, before anything is lost, for what would not come back as it was. */
export function toText(value: unknown, transformer?: Transformer): string {
  if (!transformer) checkJson(value, 'the value');
  // In an object, because there is no JSON for the answer of a mutation that has none.
  return JSON.stringify({ value: transformer ? transformer.serialize(value) : value });
}

export function fromText(text: string, transformer?: Transformer): unknown {
  const { value } = JSON.parse(text) as { value: unknown };
  return transformer ? transformer.deserialize(value as never) : value;
}

function checkJson(value: unknown, where: string): void {
  if (typeof value === 'object' && value !== null) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null) {
      for (const [name, member] of Object.entries(value)) checkJson(member, `\`${name}\``);
      return;
    }
  } else if (/^(string|boolean|undefined|object)$/.test(typeof value) || Number.isFinite(value)) {
    return;
  }
  throw new TypeError(
    `Expected JSON in a journal, got something else as ${where}: pass \`transformer\``,
  );
}
