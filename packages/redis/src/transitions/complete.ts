import type { Completion, Lease } from '@onceward/core/store';
import { packToken } from '../record-format.ts';
import { recordKey } from '../record-key.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runForWord } from '../script.ts';
import { packCompletion } from './completion.ts';
import { recordScript } from './record-script.ts';

/** Stores the outcome, if the record is still this attempt's. */
export function complete(
  lease: Lease,
  completion: Completion,
  redis: ResolvedRedisStoreOptions,
): Promise<'completed' | 'lease-lost'> {
  const key = recordKey(lease, redis.prefix);
  const args = [packToken(lease.token), packCompletion(completion)];
  return runForWord(script, { key, args }, redis);
}

const script = recordScript(`
if not record or token_of(record) ~= ARGV[1] or status == 'r' then return 'lease-lost' end
if status == 'i' or status == 'u' then
  become_completed(ARGV[2])
else
  -- Asked twice: the first outcome stays. Written again, so that WAIT has a write to wait for.
  redis.call('SET', KEYS[1], record, 'KEEPTTL')
end
return 'completed'
`);
