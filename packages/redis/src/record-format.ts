import type { Fingerprint, FencingToken, ReserveRequest } from '@onceward/core/store';
import { namesLength, unpackOperation, writeNames } from './packed-names.ts';
import { writeHex } from './write-hex.ts';
import type { Status } from './record-status.ts';
import { RedisStoreError } from './redis-store-error.ts';

/**
 * A record is one string: a head of fixed fields, then names, then a body.
 *
 *    0  format        1      15  moment        8      75  key length  1, 0: UUID   ┐
 *    1  status        1      23  fingerprint   2+32   76  key                      │ packed-names.ts
 *    2  stale policy  1      57  token         16      …  scope length 2, scope    │
 *    3  attempt       4      73  head length   2       …  operation                ┘
 *    7  keep          8                                …  body
 *
 * `moment` means what the state needs: the lease's length while in progress, since when it is
 * unknown, or until when the answer is kept. `keep` is how long the key must be remembered.
 * The body is the progress until the record completes, and the answer after that.
 *
 * Durations and instants are doubles: they hold `Infinity`, and Lua's integers are as narrow as
 * the server's `long`. Everything is big-endian.
 */
export const layout = {
  ...{ format: 0, status: 1, policy: 2, attempt: 3, keepMs: 7, moment: 15 },
  ...{ fingerprint: 23, token: 57, headLength: 73, names: 75 },
} as const;

export const recordFormat = 1;

/**
 * How long an attempt's record lives in Redis: a hundred years, which stands for "until settled".
 *
 * What is left of it tells the lease's age by the server's clock: a plain SET can start a lease,
 * and a record does not vanish when its lease runs out. Part of the format: never change it.
 */
export const attemptTtlMs = 3_155_760_000_000;

export interface StoredRecord {
  readonly status: Status;
  readonly onStaleLease: 're-execute' | 'unknown';
  readonly attempt: number;
  readonly moment: number;
  readonly fingerprint: Fingerprint;
  readonly token: FencingToken;
  readonly operation: string;
  readonly body: Uint8Array;
}

/** The record of a first attempt. A later attempt's differs in what the server fills in. */
export function packFirstAttempt(request: ReserveRequest): Buffer {
  const { version, digest } = request.fingerprint;
  if (digest.length !== 32) throw new TypeError('Expected `fingerprint.digest` to have 32 bytes');
  const length = layout.names + namesLength(request);
  // Every byte of it is written below.
  const packed = Buffer.allocUnsafe(length);
  packed[layout.format] = recordFormat;
  packed[layout.status] = inProgress;
  packed[layout.policy] = request.onStaleLease === 'unknown' ? unknown : reExecute;
  packed.writeUInt32BE(1, layout.attempt);
  const keepMs = request.keyRetentionMs + request.maxClockSkewMs;
  packed.writeDoubleBE(duration('keyRetentionMs', keepMs), layout.keepMs);
  packed.writeDoubleBE(duration('leaseMs', request.leaseMs), layout.moment);
  packed.writeUInt16BE(version, layout.fingerprint);
  packed.set(digest, layout.fingerprint + 2);
  writeToken(request.token, packed, layout.token);
  packed.writeUInt16BE(length, layout.headLength);
  writeNames(request, packed, layout.names);
  return packed;
}

const [inProgress, unknown, reExecute] = Buffer.from('iur') as unknown as [number, number, number];

/** A token as the record holds it. */
export function packToken(token: FencingToken): Buffer {
  const packed = Buffer.allocUnsafe(16);
  writeToken(token, packed, 0);
  return packed;
}

/** The same 16 bytes as part of something larger. */
function writeToken(token: FencingToken, packed: Buffer, at: number): void {
  if (token.length === 32 && writeHex(token, packed, at)) return;
  throw new TypeError('Expected `token` to be 32 lower-case hexadecimal digits');
}

/** Reads a record, or its head alone. Rejects what a newer version may have written. */
export function unpackRecord(packed: Buffer): StoredRecord {
  if (packed.length < layout.names || packed.readUInt8(layout.format) !== recordFormat) {
    throw new RedisStoreError('RECORDFORMAT', unreadableRecord);
  }
  const headLength = packed.readUInt16BE(layout.headLength);
  return {
    status: letter(packed, layout.status) as Status,
    onStaleLease: letter(packed, layout.policy) === 'u' ? 'unknown' : 're-execute',
    attempt: packed.readUInt32BE(layout.attempt),
    moment: packed.readDoubleBE(layout.moment),
    fingerprint: {
      version: packed.readUInt16BE(layout.fingerprint),
      digest: packed.subarray(layout.fingerprint + 2, layout.token),
    },
    token: packed.toString('hex', layout.token, layout.headLength),
    operation: unpackOperation(packed.subarray(layout.names, headLength)),
    body: packed.subarray(headLength),
  };
}

/** Said by Lua and by us. Failing is the only safe answer: the record may say "executed". */
export const unreadableRecord =
  'A record has a format this version does not know: upgrade @onceward/redis everywhere first';

function letter(packed: Buffer, at: number): string {
  return packed.toString('latin1', at, at + 1);
}

function duration(name: string, ms: number): number {
  if (ms >= 0) return ms;
  throw new TypeError(`Expected \`${name}\` to be zero or more milliseconds, got ${ms}`);
}
