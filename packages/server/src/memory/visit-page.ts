import type { MaintenancePage } from '@onceward/core/store';
import type { MemoryRecord } from './memory-record.ts';
import type { RecordsByName } from './records-by-name.ts';

/** Visits up to `limit` records from `cursor` on; returns where to go on. */
export function visitPage(
  records: Pick<RecordsByName, 'from'>,
  { limit, cursor }: MaintenancePage,
  visit: (record: MemoryRecord) => void,
): string | undefined {
  let index = 0;
  for (const record of records.from(Number(cursor ?? 0))) {
    if (index === limit) return String(record.sequence);
    visit(record);
    index++;
  }
  return undefined;
}
