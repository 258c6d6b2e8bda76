import type { MaintenancePage } from '@onceward/core/store';

/** Where a page starts. Maintenance walks one table after the other, each in the order of ids. */
export interface PagePosition {
  readonly table: MaintainedTable;
  /** The last id that was looked at. */
  readonly after: string;
}

export type MaintainedTable = 'records' | 'opaque_records';

/** What was looked at; `last` is `null` for a page with nothing on it. */
export interface PageSeen {
  readonly looked: number;
  readonly last: string | null;
}

export function positionOf({ cursor }: MaintenancePage): PagePosition {
  if (cursor === undefined) return { table: 'records', after: BEFORE_ALL };
  const [, table, after] = /^(records|opaque_records):([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (table && after) return { table: table as MaintainedTable, after };
  throw new TypeError('Expected `cursor` to come from the last report');
}

export function cursorAfter(
  { table }: PagePosition,
  { looked, last }: PageSeen,
  { limit }: MaintenancePage,
): string | undefined {
  if (last !== null && looked === limit) return `${table}:${last}`;
  return table === 'records' ? `opaque_records:${BEFORE_ALL}` : undefined;
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
