import { useState } from 'react';
import type { UnknownList } from '../../src/api/unknown.ts';
import { useLive } from '../api/use-live.ts';
import { useSession } from '../api/use-session.ts';
import { Choices } from '../parts/choices.tsx';
import { Freshness } from '../parts/freshness.tsx';
import { NotAvailable } from '../parts/not-available.tsx';
import { RecordLink } from '../parts/record-link.tsx';
import { State } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { duration, fullTime } from '../words/times.ts';

type Filter = 'all' | 'waiting' | 'looking' | 'dead';

/** What may have taken effect: nothing executes it again until somebody finds out. */
export function Unknown() {
  const { hasLists, may } = useSession();
  const [filter, setFilter] = useState<Filter>('all');
  const live = useLive<UnknownList>('unknown', filter === 'all' ? {} : { state: filter });
  if (!hasLists) return <NotAvailable what="which keys are unknown" />;
  const { counts, lookups } = live.answer ?? {};
  const count = (state: string) => counts?.find((each) => each.state === state)?.count ?? 0;
  const all = counts?.reduce((sum, each) => sum + each.count, 0) ?? 0;
  return (
    <>
      <p className="lead">
        These mutations may have taken effect. Find out at whoever would know, and settle them with
        what you found.
      </p>
      <div className="bar">
        <Choices
          legend="Who finds out"
          options={[
            ['all', `all (${all})`],
            ['waiting', `a reconciler will look (${count('waiting')})`],
            ['looking', `looks now (${count('looking')})`],
            ['dead', `dead: a person (${count('dead')})`],
          ]}
          value={filter}
          onChange={setFilter}
        />
        <Freshness live={live} />
      </div>
      {lookups && (
        <Table
          caption={
            lookups.length < 200
              ? 'Unknown for longest first'
              : 'The 200 that are unknown for longest'
          }
          columns={[
            { title: 'key' },
            { title: 'operation' },
            { title: 'scope' },
            { title: 'unknown since' },
            { title: 'state' },
            { title: 'looks', align: 'right' },
            { title: 'decide' },
          ]}
          rows={lookups.map((lookup) => ({
            id: lookup.recordId,
            cells: [
              <RecordLink key="key" record={lookup} />,
              <Text key="operation">{lookup.operation}</Text>,
              <Text key="scope">{lookup.scope}</Text>,
              `${fullTime(lookup.unknownSince)} (${duration((live.updatedAt ?? 0) - lookup.unknownSince)})`,
              <State key="state">{lookup.state}</State>,
              lookup.looks,
              <a key="settle" className="button small" href={`#/record/${lookup.recordId}`}>
                {may.includes('settle') ? 'Settle' : 'Look'}
                <span className="unseen"> {lookup.keyHint}</span>
              </a>,
            ],
          }))}
          empty="Nothing is unknown here."
        />
      )}
    </>
  );
}
