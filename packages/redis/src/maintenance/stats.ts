import type { StoreStats } from '@onceward/core/store';
import { stateOf } from '../record-status.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { look } from '../transitions/look.ts';
import { scanPage } from './scan.ts';

/**
 * Counts every record. It reads them all: for a dashboard, not for a request.
 *
 * A record may be counted twice when Redis shrinks its table meanwhile.
 */
export async function stats(redis: ResolvedRedisStoreOptions): Promise<StoreStats> {
  const records = { 'in-progress': 0, released: 0, completed: 0, unknown: 0 };
  let staleLeases = 0;
  let cursor: string | undefined;
  do {
    const page = await scanPage({ limit: 500, cursor }, redis);
    const found = await Promise.all(page.keys.map((key) => look(key, { withBody: false }, redis)));
    for (const one of found) {
      if (!one) continue;
      const state = stateOf(one.record.status);
      records[state]++;
      if (state === 'in-progress' && one.leaseRemainingMs <= 0) staleLeases++;
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { records, staleLeases };
}
