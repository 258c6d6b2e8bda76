import type { Lease } from '@onceward/core/store';
import { packToken } from '../record-format.ts';
import { recordKey } from '../record-key.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runForWord } from '../script.ts';
import { recordScript } from './record-script.ts';

/** Adds to what the next attempt will get. */
export function saveProgress(
  lease: Lease,
  entry: Uint8Array,
  redis: ResolvedRedisStoreOptions,
): Promise<'saved' | 'lease-lost'> {
  const bytes = Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength);
  const args = [packToken(lease.token), bytes];
  return runForWord(script, { key: recordKey(lease, redis.prefix), args }, redis);
}

// APPEND leaves the time to live alone, so saving progress is not renewing.
const script = recordScript(`
if not is_held_by(ARGV[1]) then return 'lease-lost' end
redis.call('APPEND', KEYS[1], ARGV[2])
return 'saved'
`);
