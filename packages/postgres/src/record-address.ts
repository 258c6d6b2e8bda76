import { createHash } from 'node:crypto';
import { keyTimestamp } from '@onceward/core';
import type { RecordName } from '@onceward/core/store';

/** Where one record is. */
export interface RecordAddress {
  /** Schema and table, quoted. */
  readonly table: string;
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
 *                   records go to the right end of the index, and old ones lie together
 *   opaque_records  128 bits of hash
 */
export function recordAddress(name: RecordName, schema: string): RecordAddress {
  const hash = hashOf(name);
  if (name.keyTimestampMs === null) {
    const id = formatUuid(hash.toString('hex', 0, 16));
    return { table: `${schema}."opaque_records"`, keyType: 'text', id, keyTimestampMs: null };
  }
  // Read from the key: were it the caller's word, one key could have two records.
  const keyTimestampMs = keyTimestamp(name.key);
  const id = uuidV7(keyTimestampMs, hash);
  return { table: `${schema}."records"`, keyType: 'uuid', id, keyTimestampMs };
}

/** The advisory lock that stands for a record, as a signed 64-bit number in decimal digits. */
export function lockOf({ table, id }: RecordAddress): string {
  return advisoryLock(`${table} ${id}`);
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
