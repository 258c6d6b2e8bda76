import type { KeyValueStorage } from './key-value-storage.ts';

/** The shape of an instance of MMKV, which has names of its own; `delete` is `remove` since 4.0. */
export interface Mmkv {
  getString(key: string): string | undefined;
  set(key: string, value: string): void;
  getAllKeys(): string[];
  delete?(key: string): unknown;
  remove?(key: string): unknown;
}

/** Storages by their MMKV, so that two journals over one take turns. */
const storages = new WeakMap<Mmkv, KeyValueStorage>();

/** An instance of MMKV as a storage for `keyValueJournal`. */
export function mmkvStorage(mmkv: Mmkv): KeyValueStorage {
  const known = storages.get(mmkv);
  if (known) return known;
  const storage: KeyValueStorage = {
    getItem: (key) => mmkv.getString(key),
    setItem: (key, value) => mmkv.set(key, value),
    removeItem: (key) => (mmkv.remove ? mmkv.remove(key) : mmkv.delete?.(key)),
    getAllKeys: () => mmkv.getAllKeys(),
  };
  storages.set(mmkv, storage);
  return storage;
}
