import type { MaintenancePage } from '@onceward/core/store';
import { masters } from '../masters.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { send } from '../send.ts';

export interface ScannedPage {
  readonly keys: readonly string[];
  readonly cursor: string | undefined;
}

/**
 * One page of the records' names in Redis.
 *
 * The cursor is `<master>:<its SCAN cursor>`. SCAN may name a record twice, and a Cluster that
 * changes shape on the way may hide one until the next pass; whoever visits must not mind either.
 */
export async function scanPage(
  { limit, cursor = '0:0' }: MaintenancePage,
  redis: ResolvedRedisStoreOptions,
): Promise<ScannedPage> {
  const [index, from] = parseCursor(cursor);
  const nodes = await masters(redis.client);
  const client = nodes[index];
  if (!client) return { keys: [], cursor: undefined };

  // `{` ends the prefix, so the records of a longer prefix do not match.
  const scan = ['scan', from, 'MATCH', `${redis.prefix}{*}`, 'COUNT', limit] as const;
  const [next, names] = (await send(scan, client)) as [Buffer, Buffer[]];
  return {
    keys: [...new Set(names.map(String))],
    cursor: nextCursor(String(next), index, nodes.length),
  };
}

function parseCursor(cursor: string): [index: number, from: string] {
  const [, index, from] = /^(\d+):(\d+)$/.exec(cursor) ?? [];
  if (index !== undefined && from !== undefined) return [Number(index), from];
  throw new TypeError('Expected `cursor` to come from the last report of this store');
}

function nextCursor(scanCursor: string, index: number, masterCount: number): string | undefined {
  if (scanCursor !== '0') return `${index}:${scanCursor}`;
  return index + 1 < masterCount ? `${index + 1}:0` : undefined;
}
