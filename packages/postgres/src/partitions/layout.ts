/** How `records` is divided by the time of its keys, as the database last said. */
export interface Layout {
  /** How much time one partition spans; `null` where `records` is one plain table. */
  readonly widthMs: number | null;
  /** Records of older keys are in `records` itself. Only ever grows. */
  readonly keptBelowMs: number;
}

export const plainLayout: Layout = { widthMs: null, keptBelowMs: 0 };

/** The table of a key of this time. As `partition_name` of the migrations does it. */
export function tableOfKey(keyTimestampMs: number, { widthMs, keptBelowMs }: Layout): string {
  if (widthMs === null || keyTimestampMs < keptBelowMs) return 'records';
  return partitionName(keyTimestampMs - (keyTimestampMs % widthMs));
}

/** Nearly all keys are of one partition: that of now. */
function partitionName(startMs: number): string {
  if (startMs !== last.startMs) {
    last = { startMs, name: `records_${new Date(startMs).toISOString().replace(/\D/g, '')}` };
  }
  return last.name;
}

let last = { startMs: -1, name: '' };
