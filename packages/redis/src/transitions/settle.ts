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
  const attempt = String(settlement.attempt ?? '');
  return settlement.kind === 'executed'
    ? runForWord(executed, { key, args: [packCompletion(settlement.completion), attempt] }, redis)
    : runForWord(notExecuted, { key, args: [packDuration(settlement.quietMs), attempt] }, redis);
}

/** Evidence about an earlier attempt says nothing of this one. */
const isAbout = (argument: string) =>
  `status == 'u' and (${argument} == '' or tonumber(${argument}) == attempt)`;

const executed = recordScript(`
if not (${isAbout('ARGV[2]')}) then return 'not-unknown' end
become_completed(ARGV[1])
return 'settled'
`);

const notExecuted = recordScript(`
if not (${isAbout('ARGV[2]')}) then return 'not-unknown' end
if clock() < moment + struct.unpack('>d', ARGV[1]) then return 'too-soon' end
become_released()
return 'settled'
`);
