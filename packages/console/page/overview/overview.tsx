import { useState } from 'react';
import type { Overview as OverviewAnswer, Span } from '../../src/api/overview.ts';
import { useLive } from '../api/use-live.ts';
import { useSession } from '../api/use-session.ts';
import { Choices } from '../parts/choices.tsx';
import { Freshness } from '../parts/freshness.tsx';
import { NotAvailable } from '../parts/not-available.tsx';
import { clockTime, fullTime } from '../words/times.ts';
import { Operations } from './operations.tsx';
import { Plots } from './plots.tsx';
import { InProgress, Slowest } from './slow-keys.tsx';
import { StoreCounts, Tiles } from './tiles.tsx';

const spanTitles = [
  ['1h', '1 hour'],
  ['6h', '6 hours'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
] as const;

/** How many keys there were and what became of them; what is stuck, and what takes long. */
export function Overview() {
  const { hasLists } = useSession();
  const [span, setSpan] = useState<Span>('1h');
  const live = useLive<OverviewAnswer>('overview', { span });
  if (!hasLists) {
    return (
      <>
        <Freshness live={live} />
        <StoreCounts records={live.answer?.records} />
        <NotAvailable what="when keys came, which are stuck, or how long they took" />
      </>
    );
  }
  return (
    <>
      <div className="bar">
        <Choices legend="Keys minted within" options={spanTitles} value={span} onChange={setSpan} />
        <Freshness live={live} />
      </div>
      <Tiles overview={live.answer} />
      <SampleNote overview={live.answer} />
      <Plots overview={live.answer} />
      <div className="columns roomy">
        <InProgress records={live.answer?.inProgress} now={live.answer?.activity?.databaseNow} />
        <Slowest records={live.answer?.slowest} />
      </div>
      <Operations activity={live.answer?.activity} />
    </>
  );
}

/** What the numbers are about, and what they leave out. */
function SampleNote({ overview }: { overview: OverviewAnswer | undefined }) {
  const { sampleSize } = useSession();
  const { knownSince, databaseNow = 0 } = overview?.activity ?? {};
  const time =
    knownSince === undefined || databaseNow - knownSince < 86_400_000 ? clockTime : fullTime;
  return (
    <p className="note">
      Counted by when keys were minted; opaque keys have no time and are left out. Unknown outcomes
      are counted in full.{' '}
      {knownSince === undefined
        ? 'All keys of this time are in it.'
        : `There are more than the newest ${sampleSize.toLocaleString()} keys that are read: nothing is shown of those before ${time(knownSince)}.`}
    </p>
  );
}
