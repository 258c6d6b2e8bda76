import { randomUUID } from 'node:crypto';
import type { PutOff, TakeUnknownRequest, UnknownRecord } from '@onceward/core/store';
import { type MemoryRecord, noLooks } from './memory-record.ts';

/** Takes unknown records that are due, those that have been so for longest first. */
export function takeLooks(
  records: Iterable<MemoryRecord>,
  { limit, leaseMs, operations }: TakeUnknownRequest,
  now: number,
): UnknownRecord[] {
  return [...records]
    .filter(({ state, looks }) => state === 'unknown' && looks.dueAt <= now)
    .filter(({ operation }) => operations.includes(operation))
    .sort((one, other) => dueSince(one) - dueSince(other))
    .slice(0, limit)
    .map((record) => look(record, now + leaseMs));
}

/** Gives one back, unless somebody else has it by now. */
export function putOffLook(
  record: MemoryRecord | undefined,
  { token }: UnknownRecord,
  { until, now }: { until: PutOff; now: number },
): 'put-off' | 'lease-lost' {
  if (record?.looks.token !== token) return 'lease-lost';
  const dueAt = until.kind === 'later' ? now + until.delayMs : Infinity;
  record.looks = until.kind === 'gone' ? noLooks : { ...record.looks, dueAt };
  return 'put-off';
}

/** Makes a dead one due, as if nobody had ever looked. */
export function reviveLooks(record: MemoryRecord | undefined): 'revived' | 'not-dead' {
  if (record?.state !== 'unknown' || record.looks.dueAt !== Infinity) return 'not-dead';
  record.looks = noLooks;
  return 'revived';
}

function look(record: MemoryRecord, dueAt: number): UnknownRecord {
  const { scope, key, keyTimestampMs, operation, attempt, unknownSince } = record;
  const count = record.looks.count + 1;
  const token = randomUUID();
  record.looks = { count, dueAt, token };
  return { scope, key, keyTimestampMs, operation, attempt, unknownSince, look: count, token };
}

/** Who was never looked into is due since it is unknown. */
function dueSince({ looks, unknownSince }: MemoryRecord): number {
  return Math.max(looks.dueAt, unknownSince);
}
