/** The time of a key, and its end: enough to tell it from the others, not enough to use it. */
export function shortKey(key: string): string {
  return key.length > 16 ? `${key.slice(0, 8)}…${key.slice(-4)}` : key;
}
