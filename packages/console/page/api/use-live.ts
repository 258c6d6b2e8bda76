import { useEffect, useState } from 'react';
import { read } from './ask.ts';
import { usePaused } from './paused.ts';

/** What was answered last, and whether it is still being asked for. */
export interface Live<Answer> {
  readonly answer: Answer | undefined;
  readonly error: unknown;
  readonly updatedAt: number | undefined;
  /** Asks now, also while paused. */
  readonly refresh: () => void;
}

/**
 * Asks again every five seconds, unless it is paused or nobody can see it.
 *
 * What was answered last stays until there is something else, so that nothing jumps.
 */
export function useLive<Answer>(name: string, search: Record<string, string> = {}): Live<Answer> {
  const paused = usePaused();
  const [state, setState] = useState<Omit<Live<Answer>, 'refresh'>>(nothing);
  const [round, setRound] = useState(0);
  const query = JSON.stringify(search);

  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        const answer = await read<Answer>(name, JSON.parse(query) as Record<string, string>);
        if (isCurrent) setState({ answer, error: undefined, updatedAt: Date.now() });
      } catch (error) {
        if (isCurrent) setState((last) => ({ ...last, error }));
      }
      if (isCurrent && !paused) timer = setTimeout(askIfSeen, everyMs);
    };
    const askIfSeen = () => {
      if (document.hidden) timer = setTimeout(askIfSeen, everyMs);
      else void ask();
    };
    void ask();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [name, query, paused, round]);

  return { ...state, refresh: () => setRound((last) => last + 1) };
}

const everyMs = 5_000;
const nothing = { answer: undefined, error: undefined, updatedAt: undefined };
