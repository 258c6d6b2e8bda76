import type { MaintenancePage } from '@onceward/core/store';
import type { MemoryRecord } from './memory-record.ts';

/** Visits up to `limit` records from `cursor` on; returns where to go on. */
export function visitPage(
  records: Iterable<MemoryRecord>,
  { limit, cursor }: MaintenancePage,
  visit: (record: MemoryRecord) => void,
): string | undefined {
  const from = Number(cursor ?? 0);
  let index = 0;
  for (const record of records) {
    if (record.sequence < from) continue;
    if (index === limit) return String(record.sequence);
    visit(record);
    index++;
  }
  return undefined;
}
