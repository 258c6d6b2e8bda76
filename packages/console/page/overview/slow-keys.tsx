import type { Overview } from '../../src/api/overview.ts';
import { RecordLink } from '../parts/record-link.tsx';
import { State } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { duration } from '../words/times.ts';

/** What is being executed, or was when its server died. */
export function InProgress({
  records,
  now = 0,
}: {
  records: Overview['inProgress'];
  now: number | undefined;
}) {
  return (
    <section aria-labelledby="in-progress">
      <h2 id="in-progress">Stuck and in progress</h2>
      <Table
        caption="Those first whose lease ran out longest ago"
        columns={[
          { title: 'key' },
          { title: 'operation' },
          { title: 'scope' },
          { title: 'state' },
          { title: 'lease', align: 'right' },
        ]}
        rows={records?.map((record, index) => {
          const leftMs = (record.leaseExpiresAt ?? 0) - now;
          return {
            id: record.recordId ?? String(index),
            cells: [
              <RecordLink key="key" record={record} />,
              <Text key="operation">{record.operation}</Text>,
              <Text key="scope">{record.scope}</Text>,
              <State key="state">{leftMs > 0 ? 'in progress' : 'stuck'}</State>,
              leftMs > 0 ? `${duration(leftMs)} left` : `ran out ${duration(-leftMs)} ago`,
            ],
          };
        })}
        empty="Nothing is being executed."
      />
    </section>
  );
}

/** What took longest from the minting of its key to its completion. */
export function Slowest({ records }: { records: Overview['slowest'] }) {
  return (
    <section aria-labelledby="slowest">
      <h2 id="slowest">Slowest</h2>
      <Table
        caption="From the minting of the key to its completion"
        columns={[
          { title: 'key' },
          { title: 'operation' },
          { title: 'scope' },
          { title: 'attempts', align: 'right' },
          { title: 'took', align: 'right' },
        ]}
        rows={records?.map((record, index) => ({
          id: record.recordId ?? String(index),
          cells: [
            <RecordLink key="key" record={record} />,
            <Text key="operation">{record.operation}</Text>,
            <Text key="scope">{record.scope}</Text>,
            record.attempt,
            duration(record.tookMs),
          ],
        }))}
        empty="Nothing was completed in this time."
      />
    </section>
  );
}
