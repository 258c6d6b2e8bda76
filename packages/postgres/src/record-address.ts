import { createHash } from 'node:crypto';
import { keyTimestamp } from '@onceward/core';
import type { RecordName } from '@onceward/core/store';
import { type Layout, plainLayout, tableOfKey } from './partitions/layout.ts';

/** Where one record is. */
export interface RecordAddress {
  /** Quoted. */
  readonly schema: string;
  /** Schema and table, quoted: the partition, if the key has one. Others inherit from some. */
  readonly table: string;
  /** The table with all that inherit from it: a record is in there, wherever it was moved. */
  readonly family: string;
  /** The type of the table's `key`. */
  readonly keyType: 'uuid' | 'text';
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
  const hash = hashOf(name);
  if (name.keyTimestampMs === null) {
    const table = `${schema}."opaque_records"`;
    const id = formatUuid(hash.toString('hex', 0, 16));
    return { schema, table, family: table, keyType: 'text', id, keyTimestampMs: null };
  }
  // Read from the key: were it the caller's word, one key could have two records.
  const keyTimestampMs = keyTimestamp(name.key);
  const table = `${schema}."${tableOfKey(keyTimestampMs, layout)}"`;
  const id = uuidV7(keyTimestampMs, hash);
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
  return createHash('sha256').update(`onceward ${purpose}`).digest().readBigInt64BE().toString();
}

function hashOf({ scope, key }: RecordName): Buffer {
  // UTF-16 is what a string holds: as UTF-8, two scopes with different halves of a broken
  // surrogate pair would be one.
  const scopeBytes = Buffer.from(scope, 'utf16le');
  // The length goes first, or ('ab', 'c') and ('a', 'bc') would be one record.
  const length = Buffer.alloc(4);
  length.writeUInt32BE(scopeBytes.length);
  return createHash('sha256').update(length).update(scopeBytes).update(key).digest();
}

function uuidV7(ms: number, hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUIntBE(ms, 0, 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  return formatUuid(bytes.toString('hex'));
}

function formatUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
