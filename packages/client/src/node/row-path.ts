import type { JournalRow } from '@onceward/core/journal';

type Place = Pick<JournalRow, 'scope' | 'seq'>;

/** What a name in a folder may be long, everywhere. */
const longestName = 200;

/**
 * The folders and the name of a row's file. They say whose row it is even when nothing in the file
 * can be read. In hexadecimal, because a scope may hold any text, and not every disk tells `a`
 * from `A`; in as many folders as it takes, because it may be longer than a name.
 */
export function rowPath({ scope, seq }: Place): string[] {
  const hex = Buffer.from(JSON.stringify(scope)).toString('hex');
  const folders = hex.match(new RegExp(`.{1,${longestName}}`, 'g')) ?? [];
  return [...folders, `${seq}.row`];
}

/** Whose row a path is; `undefined` for what is no row. */
export function parseRowPath(path: readonly string[]): Place | undefined {
  const [, seq] = /^(\d+)\.row$/.exec(path.at(-1) ?? '') ?? [];
  if (seq === undefined) return undefined;
  const scope = Buffer.from(path.slice(0, -1).join(''), 'hex').toString();
  try {
    return { seq: Number(seq), scope: JSON.parse(scope) as string };
  } catch {
    return undefined;
  }
}
