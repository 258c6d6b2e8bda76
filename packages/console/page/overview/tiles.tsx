import type { KeyCounts, Overview } from '../../src/api/overview.ts';
import { duration } from '../words/times.ts';

/** The numbers that say whether all is well. They have their room before they are known. */
export function Tiles({ overview }: { overview: Overview | undefined }) {
  const { activity, unknown } = overview ?? {};
  const sum = (name: keyof KeyCounts) =>
    activity?.buckets.reduce((total, bucket) => total + bucket[name], 0);
  const unknownCount = unknown?.reduce((total, { count }) => total + count, 0);
  const oldestMs = Math.max(0, ...(unknown ?? []).map((each) => each.oldestMs));
  const dead = unknown?.find(({ state }) => state === 'dead')?.count ?? 0;
  return (
    <dl className="tiles">
      <Tile title="keys" count={activity?.keys} />
      <Tile title="succeeded" count={sum('succeeded')} tone="good" />
      <Tile title="failed" count={sum('failed')} tone="warn" />
      <Tile title="in progress" count={sum('inProgress')} />
      <Tile title="stuck" count={sum('stuck')} tone="bad" />
      <Tile title="released" count={sum('released')} />
      <Tile
        title="unknown"
        count={unknownCount}
        tone="bad"
        note={
          unknownCount ? `${dead} dead, oldest ${duration(oldestMs)}` : 'none waits for anybody'
        }
      />
    </dl>
  );
}

/** Of a store that counts its records and knows no more. */
export function StoreCounts({ records }: { records: Overview['records'] }) {
  return (
    <dl className="tiles">
      <Tile title="completed" count={records?.completed} tone="good" />
      <Tile title="in progress" count={records?.['in-progress']} />
      <Tile title="released" count={records?.released} />
      <Tile title="unknown" count={records?.unknown} tone="bad" />
    </dl>
  );
}

function Tile({
  title,
  count,
  tone,
  note,
}: {
  title: string;
  count: number | undefined;
  tone?: 'good' | 'warn' | 'bad';
  note?: string;
}) {
  return (
    <div data-tone={count ? tone : undefined}>
      <dt>{title}</dt>
      <dd>
        <strong>{count === undefined ? '–' : count.toLocaleString()}</strong>
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  );
}
