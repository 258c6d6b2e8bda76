import type { ReserveRequest } from '@onceward/core/store';
import { writeHex } from './write-hex.ts';

/**
 * Key, scope and operation, for operators and for the key's own time.
 *
 * A UUID v7 takes 16 bytes instead of 36, and starts with the time it was minted, which is where
 * the scripts read it. A key length of 0 says so; no opaque key is empty.
 */
export function writeNames(request: ReserveRequest, packed: Buffer, start: number): void {
  const { key, scope, operation } = request;
  const isUuid = request.keyTimestampMs !== null;
  let at = isUuid ? writeUuid(key, packed, start) : writeOpaque(key, packed, start);
  const scopeAt = at + 2;
  at = scopeAt + packed.write(scope, scopeAt);
  packed.writeUInt16BE(at - scopeAt, scopeAt - 2);
  packed.write(operation, at);
}

/** How many bytes that will be. */
export function namesLength({ key, scope, operation, keyTimestampMs }: ReserveRequest): number {
  const length = Buffer.byteLength(scope) + Buffer.byteLength(operation);
  if (length > longestNames) {
    throw new TypeError(`Expected \`scope\` and \`operation\` to fit in ${longestNames} bytes`);
  }
  return 1 + (keyTimestampMs === null ? Buffer.byteLength(key) : 16) + 2 + length;
}

/** The operation from the same bytes. */
export function unpackOperation(names: Buffer): string {
  const keyLength = names.readUInt8(0) || 16;
  const scopeLength = names.readUInt16BE(1 + keyLength);
  return names.toString('utf8', 1 + keyLength + 2 + scopeLength);
}

/** A head's length has two bytes; this leaves room for its other fields. */
const longestNames = 65_000;

function writeOpaque(key: string, packed: Buffer, at: number): number {
  const length = packed.write(key, at + 1);
  if (length === 0 || length > 255) {
    throw new TypeError('Expected an opaque `key` to have 1 to 255 bytes');
  }
  packed[at] = length;
  return at + 1 + length;
}

function writeUuid(key: string, packed: Buffer, at: number): number {
  packed[at] = 0;
  if (!uuidV7.test(key) || !writeHex(key.replaceAll('-', ''), packed, at + 1)) {
    throw new TypeError('Expected a `key` with a `keyTimestampMs` to be a lower-case UUID v7');
  }
  return at + 17;
}

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
