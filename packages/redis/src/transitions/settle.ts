import type { RecordName, Settlement } from '@onceward/core/store';
import { layout } from '../record-format.ts';
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

const tokenBytes = layout.headLength - layout.token;

/** Evidence about an earlier attempt says nothing of this one. */
const isAbout = (argument: string) =>
  `status == 'u' and (${argument} == '' or tonumber(${argument}) == attempt)`;

/**
 * A late holder may still come to complete. With its token in the record the outcome would look
 * like its own, and its caller would hear another answer than everybody after.
 */
const executed = recordScript(`
if not (${isAbout('ARGV[2]')}) then return 'not-unknown' end
record = string.sub(record, 1, ${layout.token}) .. string.rep('\\0', ${tokenBytes})
  .. string.sub(record, ${layout.headLength + 1})
become_completed(ARGV[1])
return 'settled'
`);

const notExecuted = recordScript(`
if not (${isAbout('ARGV[2]')}) then return 'not-unknown' end
if clock() < moment + struct.unpack('>d', ARGV[1]) then return 'too-soon' end
become_released()
return 'settled'
`);
