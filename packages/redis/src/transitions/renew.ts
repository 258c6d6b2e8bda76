import type { Lease } from '@onceward/core/store';
import { packToken } from '../record-format.ts';
import { recordKey } from '../record-key.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runForWord } from '../script.ts';
import { packDuration } from './completion.ts';
import { recordScript } from './record-script.ts';

/** Starts the lease again, from now, unless it ran out. */
export function renew(
  lease: Lease,
  leaseMs: number,
  redis: ResolvedRedisStoreOptions,
): Promise<'renewed' | 'lease-lost'> {
  const args = [packToken(lease.token), packDuration(leaseMs)];
  return runForWord(script, { key: recordKey(lease, redis.prefix), args }, redis);
}

const script = recordScript(`
if not is_held_by(ARGV[1]) or lease_remaining() <= 0 then return 'lease-lost' end
save_attempt(with('i', struct.unpack('>d', ARGV[2]), body))
return 'renewed'
`);
