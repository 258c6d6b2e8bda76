import type { DevtoolsOptions } from './devtools-options.ts';
export type { DevtoolsOptions, WatchableJournal } from './devtools-options.ts';

/** What everybody gets who does not build for development: nothing happens, and nothing is shown. */
// eslint-disable-next-line @typescript-eslint/no-unused-vars
export function mountDevtools(options: DevtoolsOptions): () => void {
  return () => {};
}
