import { useState } from 'react';
import type { Payload } from '../../src/api/job.ts';
import type { RecordPage } from '../../src/api/record.ts';
import { post } from '../api/ask.ts';
import { useSession } from '../api/use-session.ts';
import { Problem } from '../parts/problem.tsx';
import type { RecordReference } from '../routes.ts';

/** The stored answer, for who may see it and says so. */
export function AnswerSection({
  page,
  reference,
  shown,
}: {
  page: RecordPage;
  reference: RecordReference;
  /** The trail has an entry more. */
  shown: () => void;
}) {
  const { showPayloads } = useSession();
  const [answer, setAnswer] = useState<Payload>();
  const [error, setError] = useState<unknown>();
  const hasAnswer = page.record.state === 'completed' && (page.details?.bodyBytes ?? 0) > 0;
  const show = async () => {
    try {
      setAnswer(await post<Payload>('answer', reference));
      shown();
    } catch (caught) {
      setError(caught);
    }
  };
  return (
    <section aria-labelledby="answer">
      <h2 id="answer">Answer</h2>
      {!hasAnswer && <p className="note">No answer is stored.</p>}
      {hasAnswer && !showPayloads && (
        <p className="note">{page.details?.bodyBytes} bytes, which are not for you to see here.</p>
      )}
      {hasAnswer && showPayloads && !answer && (
        <p>
          <button type="button" onClick={() => void show()}>
            Show the answer
          </button>{' '}
          <small>That you have seen it is written down.</small>
        </p>
      )}
      {answer && (
        <pre tabIndex={0} aria-label="Answer">
          {answer.text ?? `It is ${answer.note}, and no text.`}
        </pre>
      )}
      {error !== undefined && <Problem error={error} />}
    </section>
  );
}
