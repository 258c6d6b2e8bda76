import type { Seen } from '../../src/watch/watch.ts';

/** What the server would say about one request. */
export function sightingWords(seen: Seen | undefined): string {
  if (!seen) return 'server: has not seen it';
  const { status, replayed, executing, alive } = seen;
  if (replayed) return 'server: knew the answer';
  if (status !== null) return status < 400 ? 'server: did it, answered' : `server: said ${status}`;
  if (!alive) return 'server: died over it';
  return executing ? 'server: doing it …' : 'server: has it';
}
