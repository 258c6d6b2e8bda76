import type { NotReserved, RecordName, RecordSummary, ReserveRequest } from '@onceward/core/store';
import { attemptTtlMs, type StoredRecord, unpackRecord } from '../record-format.ts';
import { recordKey } from '../record-key.ts';
import { stateOf } from '../record-status.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runScript } from '../script.ts';
import { recordScript } from './record-script.ts';
import { isBeyondHorizon, refusal } from './refusal.ts';

/** What `reserve` would answer now. */
export async function peek(
  request: ReserveRequest,
  redis: ResolvedRedisStoreOptions,
): Promise<NotReserved | { readonly kind: 'free' }> {
  const found = await look(recordKey(request, redis.prefix), { withBody: true }, redis);
  if (!found) return { kind: isBeyondHorizon(request) ? 'expired' : 'free' };

  const { record, leaseRemainingMs } = found;
  const refused = refusal(record, request);
  if (refused) return refused;
  if (stateOf(record.status) === 'released') return { kind: 'free' };
  if (leaseRemainingMs > 0) return { kind: 'in-progress', retryAfterMs: leaseRemainingMs };
  const mayHaveHappened = [record.onStaleLease, request.onStaleLease].includes('unknown');
  return { kind: mayHaveHappened ? 'unknown' : 'free' };
}

/** A record for operators, without its answer. */
export async function find(
  { scope, key, keyTimestampMs }: RecordName,
  redis: ResolvedRedisStoreOptions,
): Promise<RecordSummary | undefined> {
  const name = recordKey({ scope, key, keyTimestampMs }, redis.prefix);
  const found = await look(name, { withBody: false }, redis);
  if (!found) return undefined;
  const { record, leaseRemainingMs, now } = found;
  const { operation, attempt, moment } = record;
  const state = stateOf(record.status);
  return {
    ...{ scope, key, keyTimestampMs, state, operation, attempt },
    ...(state === 'in-progress' ? { leaseExpiresAt: now + leaseRemainingMs } : {}),
    ...(state === 'unknown' ? { unknownSince: moment } : {}),
  };
}

export interface Found {
  readonly record: StoredRecord;
  /** Zero or less when the lease ran out. Means something only while in progress. */
  readonly leaseRemainingMs: number;
  /** By the server's clock. */
  readonly now: number;
}

/** Reads a record together with the server's idea of time. Changes nothing. */
export async function look(
  key: string,
  { withBody }: { withBody: boolean },
  redis: ResolvedRedisStoreOptions,
): Promise<Found | undefined> {
  const reply = await runScript(script, { key, args: [withBody ? 1 : 0] }, redis);
  if (reply === null) return undefined;
  const [packed, ttl, now] = reply as [Buffer, number, Buffer];
  const record = unpackRecord(packed);
  const age = Number(ttl) < 0 ? 0 : Math.max(attemptTtlMs - Number(ttl), 0);
  return { record, leaseRemainingMs: record.moment - age, now: Number(now) };
}

const script = recordScript(
  `
if not record then return false end
local wanted = record
if ARGV[1] == '0' then wanted = string.sub(record, 1, head_length) end
return {wanted, redis.call('PTTL', KEYS[1]), string.format('%.0f', clock())}
`,
  { replicated: false },
);
