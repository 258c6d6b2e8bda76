import type { ReactNode } from 'react';
import type { RecordPage } from '../../src/api/record.ts';
import { State } from '../parts/state.tsx';
import { Text } from '../parts/text.tsx';
import { duration, fullTime } from '../words/times.ts';

/** What the store knows of a record, in words. */
export function Facts({ page }: { page: RecordPage }) {
  const { record, key, details, now } = page;
  const time = (at: number | undefined) => at !== undefined && fullTime(at);
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      'key',
      <code key="key">
        <Text>{key}</Text>
      </code>,
    ],
    ['record', record.recordId !== undefined && <code key="id">{record.recordId}</code>],
    ['scope', <Text key="scope">{record.scope}</Text>],
    ['operation', <Text key="operation">{record.operation}</Text>],
    ['state', <State key="state">{record.state}</State>],
    ['outcome', record.outcome],
    ['attempts', record.attempt],
    ['minted', record.mintedAt === null ? 'an opaque key has no time' : fullTime(record.mintedAt)],
    ['lease runs out', time(record.leaseExpiresAt)],
    [
      'unknown since',
      record.unknownSince !== undefined &&
        `${fullTime(record.unknownSince)} (${duration(now - record.unknownSince)})`,
    ],
    ['if its lease runs out', details?.onStaleLease],
    [
      'answer kept until',
      details?.answerExpiresAt !== undefined &&
        (details.answerExpiresAt === null
          ? 'as long as the key'
          : fullTime(details.answerExpiresAt)),
    ],
    [
      'key kept until',
      details && (details.keyExpiresAt === null ? 'for ever' : fullTime(details.keyExpiresAt)),
    ],
    ['stored', details && `${details.bodyBytes.toLocaleString()} bytes in ${details.table}`],
  ];
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">What is known</h2>
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== false && value !== undefined)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
