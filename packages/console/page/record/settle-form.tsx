import { type FormEvent, useState } from 'react';
import type { Decided } from '../../src/api/job.ts';
import type { RecordPage } from '../../src/api/record.ts';
import { post } from '../api/ask.ts';
import { useSession } from '../api/use-session.ts';
import { Problem } from '../parts/problem.tsx';
import type { RecordReference } from '../routes.ts';
import { duration } from '../words/times.ts';

type As = 'executed' | 'not-executed';

/** Decides what became of an unknown outcome. Nothing is decided without evidence. */
export function SettleForm({
  page,
  reference,
  settled,
}: {
  page: RecordPage;
  reference: RecordReference;
  settled: (words: string) => void;
}) {
  const { quietMs } = useSession();
  const { attempt, unknownSince = page.now } = page.record;
  const quietLeftMs = unknownSince + quietMs - page.now;
  const [as, setAs] = useState<As>();
  const [error, setError] = useState<unknown>();
  const [refused, setRefused] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = ((form.get('value') as string | null) ?? '').trim();
    setError(undefined);
    setRefused(undefined);
    setBusy(true);
    try {
      const { result, audited } = await post<Decided>('settle', {
        ...reference,
        ...{ as, attempt, evidence: form.get('evidence') },
        ...(value === '' ? {} : { value }),
      });
      const tail = audited ? '' : ' The audit hook failed.';
      if (result === 'settled')
        settled(`Settled as ${as === 'executed' ? '' : 'not '}executed.${tail}`);
      else setRefused(refusals[result]?.(quietMs) ?? result);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };

  return (
    <section aria-labelledby="settle" className="card">
      <h2 id="settle">Settle it</h2>
      <form onSubmit={(event) => void submit(event)}>
        <fieldset className="cards">
          <legend>What became of attempt {attempt}?</legend>
          <label>
            <input type="radio" name="as" required onChange={() => setAs('executed')} />
            <span>
              It took effect
              <small>It is completed, and never executed again.</small>
            </span>
          </label>
          <label>
            <input type="radio" name="as" onChange={() => setAs('not-executed')} />
            <span>
              It did not, and cannot any more
              <small>
                Its next delivery executes it.
                {quietLeftMs > 0 &&
                  ` Refused for another ${duration(quietLeftMs)}: an old attempt may still act.`}
              </small>
            </span>
          </label>
        </fieldset>
        <label>
          Evidence: what was found, and where
          <textarea name="evidence" rows={3} maxLength={10_000} required />
          <small>Text, or JSON. Kept with your name for longer than the record: no secrets.</small>
        </label>
        {as === 'executed' && (
          <label>
            The answer for later deliveries, as JSON (optional)
            <textarea name="value" rows={2} maxLength={200_000} spellCheck={false} />
            <small>What the server would have stored. Without it they are told 410.</small>
          </label>
        )}
        {error !== undefined && <Problem error={error} />}
        {refused !== undefined && (
          <p className="problem" role="alert">
            {refused}
          </p>
        )}
        <button type="submit" className="primary" disabled={isBusy}>
          {as === undefined ? 'Settle' : `Settle as ${as === 'executed' ? '' : 'not '}executed`}
        </button>
      </form>
    </section>
  );
}

const refusals: Readonly<Record<string, (quietMs: number) => string>> = {
  'not-unknown': () =>
    'Nothing was changed: it was settled or attempted again meanwhile. Look at it once more.',
  'too-soon': (quietMs) =>
    `Nothing was changed: an old attempt may act for ${duration(quietMs)} after it became unknown. Look for evidence again after that.`,
};
