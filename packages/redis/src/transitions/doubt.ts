import type { Lease } from '@onceward/core/store';
import { packToken } from '../record-format.ts';
import { recordKey } from '../record-key.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runForWord } from '../script.ts';
import { recordScript } from './record-script.ts';

/** Admits that the attempt may have taken effect. Saying so twice changes nothing. */
export function doubt(
  lease: Lease,
  redis: ResolvedRedisStoreOptions,
): Promise<'unknown' | 'lease-lost'> {
  const args = [packToken(lease.token)];
  return runForWord(script, { key: recordKey(lease, redis.prefix), args }, redis);
}

const script = recordScript(`
if status == 'u' and token_of(record) == ARGV[1] then return 'unknown' end
if not is_held_by(ARGV[1]) then return 'lease-lost' end
become_unknown()
return 'unknown'
`);
