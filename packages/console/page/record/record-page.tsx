import { useCallback, useEffect, useState } from 'react';
import type { RecordPage as RecordAnswer } from '../../src/api/record.ts';
import { post } from '../api/ask.ts';
import { useSession } from '../api/use-session.ts';
import { NotAvailable } from '../parts/not-available.tsx';
import { Problem } from '../parts/problem.tsx';
import type { RecordReference } from '../routes.ts';
import { AnswerSection } from './answer-section.tsx';
import { Facts } from './facts.tsx';
import { History } from './history.tsx';
import { SettleForm } from './settle-form.tsx';

/** One record: what it is, what happened to it, and what can be decided about it. */
export function RecordPage({ reference }: { reference: RecordReference }) {
  const { may } = useSession();
  const [page, setPage] = useState<RecordAnswer>();
  const [error, setError] = useState<unknown>();
  const [said, setSaid] = useState<string>();
  const name = JSON.stringify(reference);
  const load = useCallback(
    () => post<RecordAnswer>('record', JSON.parse(name) as object).then(setPage, setError),
    [name],
  );
  useEffect(() => void load(), [load]);

  if (error !== undefined) return <Problem error={error} />;
  if (!page) return <p className="note">Asking …</p>;
  return (
    <>
      <p role="status" className={said === undefined ? 'unseen' : 'said'}>
        {said}
      </p>
      <div className="columns">
        <Facts page={page} />
        <div>
          {page.record.state === 'unknown' && may.includes('settle') && (
            <SettleForm
              page={page}
              reference={reference}
              settled={(words) => {
                setSaid(words);
                void load();
              }}
            />
          )}
          {page.details ? (
            <History page={page} />
          ) : (
            <NotAvailable what="what happened to a record before" />
          )}
          {page.details && (
            <AnswerSection page={page} reference={reference} shown={() => void load()} />
          )}
        </div>
      </div>
    </>
  );
}
