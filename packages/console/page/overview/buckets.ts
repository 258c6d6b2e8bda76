import type { KeyCounts, Overview } from '../../src/api/overview.ts';

export interface Bucket extends KeyCounts {
  readonly at: number;
  readonly total: number;
}

/** Every span of the time that is shown, those without a key included. */
export function bucketsOf({ activity, mintedWithinMs = 0, bucketMs = 1 }: Overview): Bucket[] {
  if (!activity) return [];
  const known = new Map(activity.buckets.map((bucket) => [bucket.at, bucket]));
  const last = Math.floor(activity.databaseNow / bucketMs) * bucketMs;
  const count = Math.ceil(mintedWithinMs / bucketMs) + 1;
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * bucketMs;
    const counts = known.get(at) ?? { at, ...none };
    return { ...counts, total: names.reduce((sum, name) => sum + counts[name], 0) };
  });
}

export const names = [
  'succeeded',
  'failed',
  'released',
  'inProgress',
  'stuck',
  'unknown',
] as const satisfies readonly (keyof KeyCounts)[];

export const titles: Readonly<Record<keyof KeyCounts, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  released: 'released',
  inProgress: 'in progress',
  stuck: 'stuck',
  unknown: 'unknown',
};

const none: KeyCounts = {
  ...{ succeeded: 0, failed: 0, released: 0, inProgress: 0, stuck: 0, unknown: 0 },
};
