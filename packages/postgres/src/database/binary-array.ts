/** The types of which our statements take arrays. */
export type ElementType = keyof typeof encodings;

/**
 * An array parameter as `pg` sends bytes: in PostgreSQL's binary format.
 *
 * As a text, an answer of half a kilobyte would take twice the bytes, and twice the time to read.
 */
export function binaryArray(type: ElementType, values: readonly unknown[]): Buffer {
  const { oid, sizeOf, write } = encodings[type] as Encoding<unknown>;
  let size = HEADER_BYTES;
  for (const value of values) size += LENGTH_BYTES + (value === null ? 0 : sizeOf(value));
  const array = Buffer.allocUnsafe(size);
  // One dimension, whether there are nulls, the type, how many there are, and the first subscript.
  const header = [1, Number(values.includes(null)), oid, values.length, 1];
  let at = 0;
  for (const word of header) at = array.writeInt32BE(word, at);
  for (const value of values) {
    const length = value === null ? 0 : sizeOf(value);
    at = array.writeInt32BE(value === null ? NULL_LENGTH : length, at);
    if (value !== null) write(array, value, at);
    at += length;
  }
  return array;
}

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

interface Encoding<Value> {
  readonly oid: number;
  readonly sizeOf: (value: Value) => number;
  readonly write: (to: Buffer, value: Value, at: number) => void;
}

const bool: Encoding<boolean> = {
  oid: 16,
  sizeOf: () => 1,
  write: (to, value, at) => to.writeUInt8(Number(value), at),
};
const bytea: Encoding<Uint8Array> = {
  oid: 17,
  sizeOf: ({ byteLength }) => byteLength,
  write: (to, value, at) => to.set(value, at),
};
const int2: Encoding<number> = {
  oid: 21,
  sizeOf: () => 2,
  write(to, value, at) {
    // A Buffer would cut it off, where PostgreSQL refuses it.
    if (!Number.isInteger(value)) throw new RangeError('Expected a whole number');
    to.writeInt16BE(value, at);
  },
};
const text: Encoding<string> = {
  oid: 25,
  sizeOf: (value) => Buffer.byteLength(value),
  write: (to, value, at) => to.write(value, at),
};
const float8: Encoding<number> = {
  oid: 701,
  sizeOf: () => 8,
  write: (to, value, at) => to.writeDoubleBE(value, at),
};
const uuid: Encoding<string> = {
  oid: 2950,
  sizeOf: () => 16,
  // A token has no dashes.
  write: (to, value, at) =>
    to.write(value.length === 32 ? value : value.replaceAll('-', ''), at, 'hex'),
};
const encodings = { bool, bytea, int2, text, float8, uuid };
