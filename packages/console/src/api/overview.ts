import type { StoreStats } from '@onceward/core/store';
import type { Activity, LookupCount } from '@onceward/postgres';
import { Refusal } from '../answers/refusal.ts';
import type { ResolvedConsole } from '../console-options.ts';
import type { Call } from './call.ts';
import { type RecordView, viewOf } from './record-view.ts';
import { sharedFor } from './shared-for.ts';

export type { Activity, KeyCounts } from '@onceward/postgres';

/** How much of the past is looked at. */
export const spans = {
  '1h': { mintedWithinMs: 3_600_000, bucketMs: 60_000 },
  '6h': { mintedWithinMs: 21_600_000, bucketMs: 360_000 },
  '24h': { mintedWithinMs: 86_400_000, bucketMs: 1_800_000 },
  '7d': { mintedWithinMs: 604_800_000, bucketMs: 10_800_000 },
} as const;

export type Span = keyof typeof spans;

export interface Overview {
  /** Of a store that only counts: how many records there are in each state. */
  readonly records?: StoreStats['records'];
  /** Of PostgreSQL: the newest keys, by the time they were minted at. */
  readonly activity?: Activity;
  readonly mintedWithinMs?: number;
  readonly bucketMs?: number;
  readonly unknown?: readonly LookupCount[];
  readonly inProgress?: readonly RecordView[];
  readonly slowest?: readonly (RecordView & { readonly tookMs: number })[];
}

/** What there is to see at a glance. Whoever asks within two seconds gets the same answer. */
export async function showOverview({ resolved, searchParams }: Call): Promise<Overview> {
  const span = searchParams.get('span') ?? '1h';
  if (!Object.hasOwn(spans, span)) throw new Refusal(400, 'bad-request', 'span');
  return sharedOverview(resolved, span as Span);
}

const sharedOverview = sharedFor(2_000, async (resolved: ResolvedConsole, span: Span) => {
  const { source, sampleSize, answerRetentionMs } = resolved;
  const { store, operator } = source;
  if (!operator) return { records: (await store.stats()).records };
  const { mintedWithinMs, bucketMs } = spans[span];
  const sample = { mintedWithinMs, sampleSize };
  const [activity, slow, unknown] = await Promise.all([
    operator.activity({ ...sample, bucketMs }),
    operator.slow({ ...sample, answerRetentionMs, limit: 6 }),
    operator.lookupCounts(),
  ]);
  const overview: Overview = {
    ...{ activity, mintedWithinMs, bucketMs, unknown },
    inProgress: slow.inProgress.map(viewOf),
    slowest: slow.completed.map((record) => ({ ...viewOf(record), tookMs: record.tookMs })),
  };
  return overview;
});
