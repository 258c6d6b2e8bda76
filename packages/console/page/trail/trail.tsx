import { useState } from 'react';
import type { Trail as TrailAnswer } from '../../src/api/trail.ts';
import type { TrailView } from '../../src/api/trail-view.ts';
import { useLive } from '../api/use-live.ts';
import { useSession } from '../api/use-session.ts';
import { Freshness } from '../parts/freshness.tsx';
import { Pages } from '../parts/pages.tsx';
import { RecordLink } from '../parts/record-link.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { fullTime } from '../words/times.ts';

/** What people decided, and what they have looked at. */
export function Trail() {
  const { hasLists, store } = useSession();
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const live = useLive<TrailAnswer>('trail', cursor === undefined ? {} : { cursor });
  if (!hasLists) {
    return (
      <p className="note">
        The store <strong>{store}</strong> keeps no audit trail: whatever is done here goes to the
        audit of the application that mounts this console.
      </p>
    );
  }
  const { entries, cursor: next } = live.answer ?? {};
  return (
    <>
      <Freshness live={live} />
      {entries && (
        <Table
          caption="The newest first"
          columns={[
            { title: 'at' },
            { title: 'who' },
            { title: 'did' },
            { title: 'about' },
            { title: 'operation' },
            { title: 'evidence or reason' },
          ]}
          rows={entries.map((entry, index) => ({
            id: `${entry.at} ${index}`,
            cells: [
              fullTime(entry.at),
              <Text key="who">{entry.actor}</Text>,
              <Text key="did">{entry.action}</Text>,
              <About key="about" entry={entry} />,
              <Text key="operation">{entry.operation}</Text>,
              <Text key="evidence">{entry.evidence ?? '–'}</Text>,
            ],
          }))}
          empty="Nobody has done anything yet."
        />
      )}
      <Pages cursors={cursors} next={next} onChange={setCursors} />
    </>
  );
}

function About({ entry: { recordId, jobId, keyHint } }: { entry: TrailView }) {
  return recordId === null ? <>job {jobId}</> : <RecordLink record={{ recordId, keyHint }} />;
}
