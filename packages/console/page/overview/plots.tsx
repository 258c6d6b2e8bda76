import type { Overview } from '../../src/api/overview.ts';
import { Table } from '../parts/table.tsx';
import { clockTime, duration, fullTime } from '../words/times.ts';
import { type Bucket, bucketsOf, names, titles } from './buckets.ts';
import { Plot } from './plot.tsx';

/** How many keys came when, and what part of them went wrong. */
export function Plots({ overview }: { overview: Overview | undefined }) {
  const buckets = overview ? bucketsOf(overview) : [];
  const bucketMs = overview?.bucketMs ?? 60_000;
  const most = Math.max(1, ...buckets.map(({ total }) => total));
  const times = timesOf(buckets);
  return (
    <section aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      <ul className="legend">
        {names.map((name) => (
          <li key={name} data-series={name}>
            {titles[name]}
          </li>
        ))}
      </ul>
      <div className="columns">
        <Plot
          title={`Keys per ${duration(bucketMs)}`}
          top={`${most.toLocaleString()} (${rate(most, bucketMs)})`}
          label={`Most: ${most} keys in ${duration(bucketMs)}`}
          times={times}
          bars={buckets.map((bucket) => ({
            at: bucket.at,
            parts: names.map((name) => ({ name, share: bucket[name] / most })),
          }))}
        />
        <Plot
          title="Failed, stuck or unknown"
          top="100 %"
          label={`Now: ${percent(troubleOf(buckets.at(-1)))}`}
          times={times}
          bars={buckets.map((bucket) => ({
            at: bucket.at,
            parts: (['failed', 'stuck', 'unknown'] as const).map((name) => ({
              name,
              share: bucket.total === 0 ? 0 : bucket[name] / bucket.total,
            })),
          }))}
        />
      </div>
      <details>
        <summary>The same as a table</summary>
        <Table
          caption={`Keys by the ${duration(bucketMs)} in which they were minted`}
          columns={[
            { title: 'from' },
            ...names.map((name) => ({ title: titles[name], align: 'right' as const })),
            { title: 'rate', align: 'right' },
          ]}
          rows={buckets
            .filter(({ total }) => total > 0)
            .toReversed()
            .map((bucket) => ({
              id: String(bucket.at),
              cells: [
                fullTime(bucket.at),
                ...names.map((name) => bucket[name]),
                rate(bucket.total, bucketMs),
              ],
            }))}
          empty="No key was minted in this time."
        />
      </details>
    </section>
  );
}

function rate(count: number, ms: number): string {
  const perSecond = count / (ms / 1_000);
  if (perSecond >= 1) return `${perSecond.toFixed(1)}/s`;
  const perMinute = perSecond * 60;
  return perMinute >= 1 ? `${perMinute.toFixed(1)}/min` : `${(perMinute * 60).toFixed(1)}/h`;
}

function troubleOf(bucket: Bucket | undefined): number {
  if (!bucket || bucket.total === 0) return 0;
  return (bucket.failed + bucket.stuck + bucket.unknown) / bucket.total;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function timesOf(buckets: readonly Bucket[]): readonly [string, string] {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) return ['', ''];
  const time = last.at - first.at < 86_400_000 ? clockTime : fullTime;
  return [time(first.at), 'now'];
}
