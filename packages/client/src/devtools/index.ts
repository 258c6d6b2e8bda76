export type { DevtoolsOptions, WatchableJournal } from './devtools-options.ts';
export { mountDevtools } from './mount-devtools.ts';
