import type { MaintenancePage } from '@onceward/core/store';

/**
 * Where a page of maintenance starts.
 *
 *   partitions, a step at a time ──▶ records, in the order of ids ──▶ opaque_records, as they lie
 *
 * The ids of opaque keys are hashes: in their order, every record would be on another page of disk.
 */
export type PagePosition = PartitionPosition | RowPosition;

export interface PartitionPosition {
  readonly table: 'partitions';
  /** The partition that is being emptied, and its page of disk to go on with. */
  readonly name: string | null;
  readonly fromDiskPage: number;
}

export type RowPosition =
  | {
      readonly table: 'records';
      /** The last id that was looked at. */
      readonly after: string;
    }
  | { readonly table: 'opaque_records'; readonly fromDiskPage: number };

export const firstPartition: PartitionPosition = {
  table: 'partitions',
  name: null,
  fromDiskPage: 0,
};

export const firstRecord: RowPosition = {
  table: 'records',
  after: '00000000-0000-0000-0000-000000000000',
};

export function positionOf(cursor: string): PagePosition {
  const [, name, closedFrom, after, opaqueFrom] = CURSOR.exec(cursor) ?? [];
  if (name) return { table: 'partitions', name, fromDiskPage: Number(closedFrom) };
  if (after) return { table: 'records', after };
  if (opaqueFrom) return { table: 'opaque_records', fromDiskPage: Number(opaqueFrom) };
  throw new TypeError('Expected `cursor` to come from the last report');
}

export function cursorAt(position: PagePosition): string {
  switch (position.table) {
    case 'partitions':
      return `partitions:${position.name}:${position.fromDiskPage}`;
    case 'records':
      return `records:${position.after}`;
    case 'opaque_records':
      return `opaque_records:${position.fromDiskPage}`;
  }
}

/** What a page of rows held; `last` is `null` when that was nothing. */
export interface PageSeen {
  readonly looked: number;
  readonly last: string | null;
  /** How many pages of disk the table has. */
  readonly disk_pages: number;
}

export function cursorAfter(
  position: RowPosition,
  { looked, last, disk_pages }: PageSeen,
  page: MaintenancePage,
): string | undefined {
  if (position.table === 'opaque_records') {
    const fromDiskPage = position.fromDiskPage + diskPagesOf(page);
    return fromDiskPage < disk_pages ? cursorAt({ ...position, fromDiskPage }) : undefined;
  }
  const isFull = last !== null && looked === page.limit;
  return cursorAt(
    isFull ? { ...position, after: last } : { table: 'opaque_records', fromDiskPage: 0 },
  );
}

/** How many pages of disk hold about so many records: see `fillfactor` in the migrations. */
export function diskPagesOf({ limit }: MaintenancePage): number {
  return Math.ceil(limit / RECORDS_PER_DISK_PAGE);
}

const RECORDS_PER_DISK_PAGE = 9;

const CURSOR =
  /^(?:partitions:(records_\d{17}_closed):(\d{1,10})|records:([0-9a-f-]{36})|opaque_records:(\d{1,10}))$/;
