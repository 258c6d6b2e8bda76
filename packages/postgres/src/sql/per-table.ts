import type { TableAddress } from '../record-address.ts';

/**
 * The text of a statement, put together once for each table.
 *
 * It is long: to build it, and to look its name up, took more of a transaction than to send it.
 */
export function perTable(build: (table: TableAddress) => string): (table: TableAddress) => string {
  const texts = new Map<string, string>();
  return (table) => {
    const known = texts.get(table.table);
    if (known !== undefined) return known;
    // A partition is over some day.
    if (texts.size >= MAX_TEXTS) texts.clear();
    const text = build(table);
    texts.set(table.table, text);
    return text;
  };
}

const MAX_TEXTS = 100;
