import type { Lease } from '@onceward/core/store';
import { packToken } from '../record-format.ts';
import { recordKey } from '../record-key.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runForWord } from '../script.ts';
import { recordScript } from './record-script.ts';

/**
 * Gives the right to execute back.
 *
 * The record stays, with its progress, its attempts and its token: a released token must be
 * recognised, so that it never becomes current again.
 */
export function release(
  lease: Lease,
  redis: ResolvedRedisStoreOptions,
): Promise<'released' | 'lease-lost'> {
  const args = [packToken(lease.token)];
  return runForWord(script, { key: recordKey(lease, redis.prefix), args }, redis);
}

const script = recordScript(`
if not is_held_by(ARGV[1]) then return 'lease-lost' end
become_released()
return 'released'
`);
