import type { ReserveRequest } from '@onceward/core/store';

/**
 * Key, scope and operation, for operators and for the key's own time.
 *
 * A UUID v7 takes 16 bytes instead of 36, and starts with the time it was minted, which is where
 * the scripts read it. A key length of 0 says so; no opaque key is empty.
 */
export function packNames(request: ReserveRequest): Buffer {
  const { scope, operation } = request;
  const scopeLength = Buffer.byteLength(scope);
  const operationLength = Buffer.byteLength(operation);
  if (scopeLength + operationLength > longestNames) {
    throw new TypeError(`Expected \`scope\` and \`operation\` to fit in ${longestNames} bytes`);
  }
  const key = request.keyTimestampMs === null ? packOpaque(request.key) : packUuid(request.key);
  const packed = Buffer.allocUnsafe(key.length + 2 + scopeLength + operationLength);
  packed.set(key);
  const at = packed.writeUInt16BE(scopeLength, key.length);
  packed.write(scope, at);
  packed.write(operation, at + scopeLength);
  return packed;
}

/** The operation from the same bytes. */
export function unpackOperation(names: Buffer): string {
  const keyLength = names.readUInt8(0) || 16;
  const scopeLength = names.readUInt16BE(1 + keyLength);
  return names.toString('utf8', 1 + keyLength + 2 + scopeLength);
}

/** A head's length has two bytes; this leaves room for its other fields. */
const longestNames = 65_000;

function packOpaque(key: string): Buffer {
  const bytes = Buffer.from(key);
  if (bytes.length > 0 && bytes.length <= 255) return Buffer.from([bytes.length, ...bytes]);
  throw new TypeError('Expected an opaque `key` to have 1 to 255 bytes');
}

function packUuid(key: string): Buffer {
  if (uuidV7.test(key)) return Buffer.from(`00${key.replaceAll('-', '')}`, 'hex');
  throw new TypeError('Expected a `key` with a `keyTimestampMs` to be a lower-case UUID v7');
}

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
