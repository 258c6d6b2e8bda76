import type { RecordView } from '../../src/api/record-view.ts';
import { Text } from './text.tsx';

/** Leads to the record. Its key is not in the address. */
export function RecordLink({ record }: { record: Pick<RecordView, 'recordId' | 'keyHint'> }) {
  const hint = (
    <code>
      <Text>{record.keyHint}</Text>
    </code>
  );
  return record.recordId === undefined ? hint : <a href={`#/record/${record.recordId}`}>{hint}</a>;
}
