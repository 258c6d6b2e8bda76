import type { Clock } from '@onceward/core';
import { startTimer } from './timer.ts';

/**
 * Lets `ms` pass, or less if the signal is aborted or the work is done before.
 *
 * Leaves no timer and no listener behind. The work must not reject.
 */
export function wait<T = never>(
  ms: number,
  { clock, signal }: { clock: Clock; signal: AbortSignal | undefined },
  work?: Promise<T>,
): Promise<T | 'elapsed' | 'aborted'> {
  return new Promise((resolve) => {
    const abort = () => end('aborted');
    const end = (result: T | 'elapsed' | 'aborted') => {
      cancel();
      signal?.removeEventListener('abort', abort);
      resolve(result);
    };
    const cancel = startTimer(clock, ms, () => end('elapsed'));
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    void work?.then(end);
  });
}
