import type { Activity } from '../../src/api/overview.ts';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { names, titles } from './buckets.ts';

/** Which mutations the keys are of. */
export function Operations({ activity }: { activity: Activity | undefined }) {
  return (
    <section aria-labelledby="operations">
      <h2 id="operations">By operation</h2>
      <Table
        caption="The twenty with most keys"
        columns={[
          { title: 'operation' },
          ...names.map((name) => ({ title: titles[name], align: 'right' as const })),
        ]}
        rows={activity?.operations.map((counts) => ({
          id: counts.operation,
          cells: [
            <Text key="operation">{counts.operation}</Text>,
            ...names.map((name) => counts[name]),
          ],
        }))}
        empty="No key was minted in this time."
      />
    </section>
  );
}
