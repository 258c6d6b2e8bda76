import type { Seen } from '../../src/watch/watch.ts';
import type { Attempt } from '../shop/order.ts';
import { sightingWords } from './sighting-words.ts';

export interface AttemptRowProps {
  readonly attempt: Attempt;
  readonly number: number;
  /** What travels with it: its key, if it has one. */
  readonly label: string;
  readonly seen: Seen | undefined;
}

/** One request, travelling. */
export function AttemptRow({ attempt, number, label, seen }: AttemptRowProps) {
  const { phase, lostWhile, status, retryAfter, words } = attempt;
  return (
    <li className="attempt">
      <span className="number">
        <span className="unseen">Attempt </span>
        {number}
      </span>
      <div className="track" data-phase={phase} data-lost={lostWhile} data-good={isGood(status)}>
        <div className="carrier">
          <span className="packet">{packetText(attempt, label)}</span>
        </div>
      </div>
      <p className="words">
        <span>
          {words ?? 'under way …'}
          {retryAfter && <b> Retry-After: {retryAfter} s</b>}
        </span>
        <span>{sightingWords(seen)}</span>
      </p>
    </li>
  );
}

/** On the way back it carries the status; what got lost, nothing. */
function packetText({ phase, status, replayed }: Attempt, label: string): string {
  if (phase === 'lost') return '✕ lost';
  if (phase === 'going' || phase === 'there') return label;
  return replayed ? `${status} again` : String(status);
}

function isGood(status: number | undefined): boolean | undefined {
  return status === undefined ? undefined : status < 400;
}
