import type { RecordName, Settlement } from '@onceward/core/store';
import { recordKey } from '../record-key.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runForWord } from '../script.ts';
import { packCompletion, packDuration } from './completion.ts';
import { recordScript } from './record-script.ts';

/** Moves an unknown record on evidence. */
export function settle(
  name: RecordName,
  settlement: Settlement,
  redis: ResolvedRedisStoreOptions,
): Promise<'settled' | 'not-unknown' | 'too-soon'> {
  const key = recordKey(name, redis.prefix);
  return settlement.kind === 'executed'
    ? runForWord(executed, { key, args: packCompletion(settlement.completion) }, redis)
    : runForWord(notExecuted, { key, args: [packDuration(settlement.quietMs)] }, redis);
}

const executed = recordScript(`
if status ~= 'u' then return 'not-unknown' end
become_completed(ARGV[1], ARGV[2], ARGV[3])
return 'settled'
`);

const notExecuted = recordScript(`
if status ~= 'u' then return 'not-unknown' end
if clock() < moment + struct.unpack('>d', ARGV[1]) then return 'too-soon' end
become_released()
return 'settled'
`);
