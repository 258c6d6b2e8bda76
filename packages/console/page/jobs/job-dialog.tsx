import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Decided, Payload } from '../../src/api/job.ts';
import type { JobView } from '../../src/api/jobs.ts';
import { post } from '../api/ask.ts';
import { Problem } from '../parts/problem.tsx';
import { Text } from '../parts/text.tsx';

export interface Decision {
  readonly action: 'retry-job' | 'discard-job' | 'payload';
  readonly job: JobView;
}

/** Asks why, does it, and says what came of it. */
export function JobDialog({ decision, close }: { decision: Decision; close: () => void }) {
  const { action, job } = decision;
  const dialog = useRef<HTMLDialogElement>(null);
  const [said, setSaid] = useState<string>();
  const [payload, setPayload] = useState<string>();
  const [error, setError] = useState<unknown>();
  useEffect(() => dialog.current?.showModal(), []);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setError(undefined);
    const reason = new FormData(event.currentTarget).get('reason');
    try {
      if (action === 'payload') {
        const { text } = await post<Payload>('payload', { jobId: job.id });
        setPayload(text ?? 'It has none.');
      } else {
        const { result, audited } = await post<Decided>(action, { jobId: job.id, reason });
        setSaid(`${resultWords[result] ?? result}${audited ? '' : ' The audit hook failed.'}`);
      }
    } catch (caught) {
      setError(caught);
    }
  };

  return (
    <dialog ref={dialog} aria-labelledby="decision" onClose={close}>
      <h2 id="decision">
        {titles[action]} job {job.id}
      </h2>
      <p>
        <Text>{job.task}</Text> {explanations[action]}
      </p>
      {said === undefined && payload === undefined ? (
        <form onSubmit={(event) => void submit(event)}>
          {action !== 'payload' && (
            <label>
              Why? It is kept with your name.
              <textarea name="reason" rows={3} maxLength={500} required />
            </label>
          )}
          {error !== undefined && <Problem error={error} />}
          <p className="actions">
            <button type="submit" className="primary">
              {titles[action]}
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </p>
        </form>
      ) : (
        <>
          {payload !== undefined && (
            <pre tabIndex={0} aria-label="Payload">
              {payload}
            </pre>
          )}
          <p role="status">{said}</p>
          <p className="actions">
            <button type="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </p>
        </>
      )}
    </dialog>
  );
}

const titles: Readonly<Record<Decision['action'], string>> = {
  'retry-job': 'Retry',
  'discard-job': 'Discard',
  payload: 'Show the payload of',
};

const explanations: Readonly<Record<Decision['action'], string>> = {
  'retry-job': 'is tried again as often as a new one, under the same key.',
  'discard-job': 'is never run.',
  payload: 'may hold what is none of your business: that you have seen it is written down.',
};

const resultWords: Readonly<Record<string, string>> = {
  waiting: 'It waits to be tried again.',
  'not-dead': 'Nothing was changed: it is not dead.',
  discarded: 'It is never run.',
  running: 'Nothing was changed: a relay runs it right now.',
  'not-there': 'Nothing was changed: there is no such job that waits or is dead.',
};
