/**
 * The shape of a storage that keeps texts by their keys, such as AsyncStorage: of its methods only
 * those that every version has. They may answer at once or later.
 */
export interface KeyValueStorage {
  getItem(key: string): Answer<string | null | undefined>;
  setItem(key: string, value: string): Answer<unknown>;
  removeItem(key: string): Answer<unknown>;
  getAllKeys(): Answer<readonly string[]>;
}

type Answer<T> = T | Promise<T>;
