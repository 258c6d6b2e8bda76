import { mintKey } from '@onceward/core';
import { type MemoryRecord, noLooks, nothing } from '../src/memory/memory-record.ts';

/** A record of the memory store as it is when it is completed. */
export function completedRecord(of: Partial<MemoryRecord> = {}): MemoryRecord {
  return {
    ...{ scope: 'alice', key: mintKey(), keyTimestampMs: 1_700_000_000_000, sequence: 0 },
    ...{ operation: 'pay', token: 'a'.repeat(32), attempt: 1, state: 'completed' },
    ...{ fingerprintVersion: 128, fingerprint: '\0\xff'.repeat(16), outcome: 'success' },
    ...{
      answer: '{"data":{"pay":"paid"}}',
      answerExpiresAt: 86_400_000,
      keyExpiresAt: 604_800_000,
    },
    ...{ onStaleLease: 'unknown', leaseExpiresAt: 0, unknownSince: 0 },
    ...{ progress: nothing, looks: noLooks },
    ...of,
  };
}
