import { find } from './find.ts';

/** What one user has done on this page. */
interface Counter {
  wanted: number;
  sent: number;
}

const counters = new Map<string, Counter>();

export function counter(user: string): Counter {
  const found = counters.get(user) ?? { wanted: 0, sent: 0 };
  counters.set(user, found);
  return found;
}

/** Shows what a user did beside what came of it; `made` stays when nobody knows it. */
export function showCounters(user: string, made?: number): void {
  const { wanted, sent } = counter(user);
  find('#wanted', HTMLElement).textContent = String(wanted);
  find('#sent', HTMLElement).textContent = String(sent);
  if (made !== undefined) find('#made', HTMLElement).textContent = String(made);
}
