import { usePaused } from '../api/paused.ts';
import type { Live } from '../api/use-live.ts';
import { clockTime } from '../words/times.ts';
import { Problem } from './problem.tsx';

/** How old what one sees is, and why it is not younger. */
export function Freshness({ live }: { live: Live<unknown> }) {
  const paused = usePaused();
  const { updatedAt, error, refresh } = live;
  return (
    <>
      <p className="freshness">
        <span className="dot" data-state={error ? 'failed' : paused ? 'paused' : 'live'} />
        {updatedAt === undefined ? 'Asking …' : `As of ${clockTime(updatedAt)}`}
        {error ? ', and not since' : paused ? ', paused' : ', every 5 seconds'}
        <button type="button" className="small" onClick={refresh}>
          Refresh
        </button>
      </p>
      {error !== undefined && <Problem error={error} />}
    </>
  );
}
