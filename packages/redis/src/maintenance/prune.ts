import type { MaintenancePage, PruneReport } from '@onceward/core/store';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runForWord } from '../script.ts';
import { recordScript } from '../transitions/record-script.ts';
import { scanPage } from './scan.ts';

/**
 * Drops answers past their retention.
 *
 * Records past their key's retention need no pruning: Redis deletes them by their time to live,
 * so `pruned` is always 0.
 */
export async function prune(
  page: MaintenancePage,
  redis: ResolvedRedisStoreOptions,
): Promise<PruneReport> {
  const { keys, cursor } = await scanPage(page, redis);
  const dropped = await Promise.all(
    keys.map((key) => runForWord(script, { key, args: [] }, redis)),
  );
  const answersDropped = dropped.filter((answer) => answer === 'dropped').length;
  return { cursor, pruned: 0, answersDropped };
}

// Only a success or a failure has an answer; `e` says that it had one.
const script = recordScript(
  `
if (status ~= 's' and status ~= 'f') or moment >= clock() then return 'left alone' end
redis.call('SET', KEYS[1], with('e', moment, ''), 'KEEPTTL')
return 'dropped'
`,
  { replicated: false },
);
