export { keyValueJournal, type KeyValueJournalOptions } from './key-value-journal.ts';
export type { KeyValueStorage } from './key-value-storage.ts';
export { type Mmkv, mmkvStorage } from './mmkv-storage.ts';
