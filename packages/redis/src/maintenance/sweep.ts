import type { MaintenancePage, SweepReport } from '@onceward/core/store';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runForWord } from '../script.ts';
import { recordScript } from '../transitions/record-script.ts';
import { scanPage } from './scan.ts';

/** Frees, or marks as unknown, one page of records whose lease ran out. */
export async function sweep(
  page: MaintenancePage,
  redis: ResolvedRedisStoreOptions,
): Promise<SweepReport> {
  const { keys, cursor } = await scanPage(page, redis);
  const swept = await Promise.all(keys.map((key) => runForWord(script, { key, args: [] }, redis)));
  const count = (word: string) => swept.filter((answer) => answer === word).length;
  return { cursor, released: count('released'), unknown: count('unknown') };
}

// Lost in a fail-over, it is done again by the next pass.
const script = recordScript(
  `
if status ~= 'i' or lease_remaining() > 0 then return 'left alone' end
if policy == 'u' then
  become_unknown()
  return 'unknown'
end
become_released()
return 'released'
`,
  { replicated: false },
);
