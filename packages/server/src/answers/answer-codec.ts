/**
 * Turns what a handler returns, or a business error it throws, into bytes and back. Instead of bytes,
 * `encode` and `encodeError` may return a text, which stands for its UTF-8; `decode` gets bytes.
 *
 * The first caller gets the handler's own value; later ones get what `decode` makes of it. So
 * what both put on the wire must be the same.
 */
export interface AnswerCodec<Value = unknown> {
  encode(value: Value): Uint8Array | string;
  decode(bytes: Uint8Array): Value;
  encodeError(error: unknown): Uint8Array | string;
  decodeError(bytes: Uint8Array): unknown;
  /**
   * Whether a value, or a part of it, can be sent only once, so that there is nothing to store.
   * @defaultValue looks for streams, async iterators and promises in it and in its members
   */
  holdsStream?(value: Value): boolean;
}

/**
 * JSON, for values that are sent as JSON anyway. `undefined` is kept apart from `null`. Always bytes,
 * so that a codec of your own can be made of it.
 */
export const jsonCodec = {
  encode: (value: unknown): Uint8Array => Buffer.from(valueText(value)),
  decode: (bytes) => valueFromText(toText(bytes)),
  encodeError: (error: unknown): Uint8Array => Buffer.from(jsonText(describeError(error))),
  decodeError: (bytes) => new ReplayedError(JSON.parse(toText(bytes)) as ErrorDescription),
} satisfies AnswerCodec;

/** The same, as text: a store that takes texts then needs no bytes at all. */
export const jsonTextCodec: AnswerCodec = {
  ...jsonCodec,
  encode: valueText,
  encodeError: (error) => jsonText(describeError(error)),
};

/** The text that {@link jsonCodec} stores of a value; empty for `undefined`. */
export function valueText(value: unknown): string {
  return value === undefined ? '' : jsonText(value);
}

export function valueFromText(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** A stored business error, thrown again. Its name, message and own properties are the original's. */
export class ReplayedError extends Error {
  constructor({ name, message, properties }: ErrorDescription) {
    super(message);
    // Defined one by one: a stored `__proto__` is a property like any other.
    for (const [property, value] of Object.entries(properties)) define(this, property, value);
    define(this, 'name', name);
  }
}

interface ErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) {
    return { name: 'Error', message: 'The mutation failed', properties: { thrown: error } };
  }
  const { name, message } = error;
  const own = Object.entries(error).filter(([property]) => property !== 'cause');
  return { name, message, properties: Object.fromEntries(own) };
}

function define(target: object, property: string, value: unknown): void {
  Object.defineProperty(target, property, {
    value,
    enumerable: property !== 'name',
    configurable: true,
    writable: true,
  });
}

/** JSON, of which a replay is what the value was. Throws for what JSON cannot write. */
export function jsonText(value: unknown): string {
  // Most values are plain all the way down; to look is faster than to be asked about each member.
  const text = isPlain(value, 0)
    ? JSON.stringify(value)
    : (JSON.stringify(value, refuseUnwritable) as string | undefined);
  if (text !== undefined) return text;
  throw new TypeError('A function or a symbol has no JSON form');
}

/** Whether it is certain that JSON writes all of it: no instances, nothing of its own making. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (depth > deepest || 'toJSON' in value) return false;
  if (Array.isArray(value)) {
    for (const element of value as unknown[]) if (!isPlain(element, depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name in value) {
    if (!isPlain((value as Record<string, unknown>)[name], depth + 1)) return false;
  }
  return true;
}

/** What is deeper is looked at member by member, and may have no end. */
const deepest = 32;

/** JSON writes these as `{}`, and a replay would then differ from the answer in silence. */
function refuseUnwritable(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (unwritable.has(tag)) throw new TypeError(`A ${tag} has no JSON form`);
  return value;
}

const unwritable = new Set([
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'Promise', 'Generator', 'ArrayBuffer'],
  ...['Blob', 'File', 'FormData', 'Headers', 'Request', 'Response', 'ReadableStream'],
]);

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
