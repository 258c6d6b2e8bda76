import type { JournalRow } from '@onceward/core/journal';

type Place = Pick<JournalRow, 'scope' | 'seq'>;

/**
 * The key of a row. It says whose row it is even when nothing in the value can be read; as JSON,
 * because native storages speak UTF-8, which has no word for half a character.
 */
export function rowKey(prefix: string, { scope, seq }: Place): string {
  return `${prefix}${seq}:${JSON.stringify(scope)}`;
}

/** Whose row a key is; `undefined` for keys of others. */
export function parseRowKey(prefix: string, key: string): Place | undefined {
  if (!key.startsWith(prefix)) return undefined;
  const [, seq, scope] = /^(\d+):(".*")$/s.exec(key.slice(prefix.length)) ?? [];
  if (seq === undefined || scope === undefined) return undefined;
  try {
    return { seq: Number(seq), scope: JSON.parse(scope) as string };
  } catch {
    return undefined;
  }
}
