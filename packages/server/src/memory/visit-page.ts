import type { MaintenancePage } from '@onceward/core/store';
import type { MemoryRecord } from './memory-record.ts';

/** Where a page begins: at the sequence of a record. */
export function beginOf({ cursor }: MaintenancePage): number {
  return Number(cursor ?? 0);
}

/** Visits up to `limit` records; returns where to go on. */
export function visitPage(
  records: Iterable<MemoryRecord>,
  { limit }: MaintenancePage,
  visit: (record: MemoryRecord) => void,
): string | undefined {
  let index = 0;
  for (const record of records) {
    if (index === limit) return String(record.sequence);
    visit(record);
    index++;
  }
  return undefined;
}
