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
  const start = new Date(keyTimestampMs - (keyTimestampMs % widthMs));
  return `records_${start.toISOString().replace(/\D/g, '')}`;
}
