import type { ReactNode } from 'react';
import type { RecordPage } from '../../src/api/record.ts';
import { Text } from '../parts/text.tsx';
import { fullTime } from '../words/times.ts';

interface Happening {
  /** `null` if nobody knows. */
  readonly at: number | null;
  readonly what: ReactNode;
}

/** What happened to a record, in order: by the store, by reconcilers, and by people. */
export function History({ page }: { page: RecordPage }) {
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <ol className="history">
        {happenings(page).map(({ at, what }, index) => (
          <li key={index}>
            <span className="when">{at === null ? 'time not known' : fullTime(at)}</span>
            <span>{what}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function happenings({ record, lookup, trail = [], now }: RecordPage): Happening[] {
  const { mintedAt, unknownSince, leaseExpiresAt, attempt } = record;
  const known: Happening[] = [
    { at: mintedAt, what: 'the key was minted' },
    ...(unknownSince === undefined
      ? []
      : [{ at: unknownSince, what: `attempt ${attempt} became unknown` }]),
    ...(leaseExpiresAt === undefined
      ? []
      : [
          {
            at: leaseExpiresAt,
            what: `the lease of attempt ${attempt} ${leaseExpiresAt > now ? 'runs' : 'ran'} out`,
          },
        ]),
    ...(lookup === undefined ? [] : [lookupHappening(lookup)]),
    ...trail.map(({ at, actor, action, evidence }) => ({
      at,
      what: (
        <>
          <Text>{actor}</Text>: <strong>{action}</strong>
          {evidence !== null && (
            <blockquote>
              <Text>{evidence}</Text>
            </blockquote>
          )}
        </>
      ),
    })),
  ];
  return known.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
}

function lookupHappening({
  looks,
  state,
  dueAt,
  deadAt,
}: NonNullable<RecordPage['lookup']>): Happening {
  const tried = `${looks} ${looks === 1 ? 'look' : 'looks'} so far`;
  switch (state) {
    case 'dead':
      return { at: deadAt ?? null, what: `reconcilers gave up after ${looks} looks: dead` };
    case 'looking':
      return { at: dueAt, what: `a reconciler looks, and has until then; ${tried}` };
    case 'waiting':
      return { at: dueAt, what: `a reconciler may look from then on; ${tried}` };
  }
}
