import { durationWords } from './duration-words.ts';
import { element } from './element.ts';
import { endWords } from './end-words.ts';
import type { LoggedAttempt } from './intent-log.ts';

/** One line per attempt: its number, when it began, how long it took, how it ended. */
export function attemptLines(attempts: readonly LoggedAttempt[], now: number): HTMLElement[] {
  return attempts.map((attempt) => {
    const { number, startedAt, endedAt, end, here } = attempt;
    const took = durationWords((endedAt ?? now) - startedAt);
    const elsewhere = here ? '' : ', by another tab or before this panel was there';
    const outcome = end ? `${endWords(end)} after ${took}` : `under way for ${took}`;
    const text = `${clockTime(startedAt)} attempt ${number}: ${outcome}${elsewhere}`;
    return element('li', { 'data-end': end?.kind ?? 'none' }, [text]);
  });
}

export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}
