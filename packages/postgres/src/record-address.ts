import { hash } from 'node:crypto';
import { keyTimestamp } from '@onceward/core';
import type { RecordName } from '@onceward/core/store';
import { type Layout, plainLayout, tableOfKey } from './partitions/layout.ts';

/** Where records are. */
export interface TableAddress {
  /** Schema and table, quoted: the partition, if the key has one. Others inherit from some. */
  readonly table: string;
  /** The type of the table's `key`. */
  readonly keyType: 'uuid' | 'text';
}

/** Where one record is. */
export interface RecordAddress extends TableAddress {
  /** Quoted. */
  readonly schema: string;
  /** The table with all that inherit from it: a record is in there, wherever it was moved. */
  readonly family: string;
  /** The record's id, as a UUID. */
  readonly id: string;
  /** The key's own time; `null` for an opaque key. */
  readonly keyTimestampMs: number | null;
}

/**
 * Finds a record by its name alone. The id is the only index:
 *
 *   records         48 bits of the key's own time, 74 bits of hash, as a valid UUID v7: new
 *                   records go to the right end of the index, old ones lie together, and the
 *                   partition of a record follows from its key
 *   opaque_records  128 bits of hash
 */
export function recordAddress(
  name: RecordName,
  schema: string,
  layout: Layout = plainLayout,
): RecordAddress {
  const digits = knownHashOf(name);
  if (name.keyTimestampMs === null) {
    const table = `${schema}."opaque_records"`;
    const id = formatUuid(digits);
    return { schema, table, family: table, keyType: 'text', id, keyTimestampMs: null };
  }
  // Read from the key: were it the caller's word, one key could have two records.
  const keyTimestampMs = keyTimestamp(name.key);
  const table = `${schema}."${tableOfKey(keyTimestampMs, layout)}"`;
  const id = uuidV7(name.key, digits);
  return { schema, table, family: `${schema}."records"`, keyType: 'uuid', id, keyTimestampMs };
}

/**
 * The advisory lock that stands for a record, as a signed 64-bit number in decimal digits. The same
 * wherever the record is: two attempts may look for it in two places.
 */
export function lockOf({ family, id }: RecordAddress): string {
  return advisoryLock(`${family} ${id}`);
}

/** Hashed over our name, so that locks of the application are not met by accident. */
export function advisoryLock(purpose: string): string {
  return BigInt.asIntN(
    64,
    BigInt(`0x${hash('sha256', `onceward ${purpose}`).slice(0, 16)}`),
  ).toString();
}

/** Whoever reserves soon completes: the hash of a name that was asked for lately is known. */
function knownHashOf(name: RecordName): string {
  const known = lately.get(name.key);
  if (known?.scope === name.scope) return known.digits;
  if (lately.size >= MAX_LATELY) lately.clear();
  const digits = hashOf(name);
  lately.set(name.key, { scope: name.scope, digits });
  return digits;
}

const lately = new Map<string, { readonly scope: string; readonly digits: string }>();
const MAX_LATELY = 1_000;

/** In hexadecimal digits. */
function hashOf({ scope, key }: RecordName): string {
  const scopeBytes = scope.length * 2;
  const name = Buffer.allocUnsafe(4 + scopeBytes + key.length);
  // The length goes first, or ('ab', 'c') and ('a', 'bc') would be one record.
  name.writeUInt32BE(scopeBytes);
  // UTF-16 is what a string holds: as UTF-8, two scopes with different halves of a broken
  // surrogate pair would be one.
  name.write(scope, 4, 'utf16le');
  // Printable ASCII.
  name.write(key, 4 + scopeBytes, 'latin1');
  return hash('sha256', name);
}

/** A UUID v7 with the time of the key, and the digits of a hash for the bits that may be anything. */
function uuidV7(key: string, digits: string): string {
  const variant = 0x8 | (Number.parseInt(digits.charAt(16), 16) & 0x3);
  const third = `7${digits.slice(13, 16)}`;
  const fourth = variant.toString(16) + digits.slice(17, 20);
  return `${key.slice(0, 13)}-${third}-${fourth}-${digits.slice(20, 32)}`;
}

function formatUuid(digits: string): string {
  const ends = [8, 12, 16, 20, 32];
  return ends.map((end, at) => digits.slice(ends[at - 1] ?? 0, end)).join('-');
}
