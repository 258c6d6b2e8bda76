/**
 * Whether a statement would begin or end the transaction.
 *
 * For a courtesy: a handler is told before anything is sent. What is not seen here (a COMMIT after a
 * comment, or as the second statement of a text) is noticed by the statement that completes the key.
 */
export function controlsTransaction(text: string | undefined): boolean {
  return text !== undefined && control.test(text);
}

/** `rollback to savepoint` is no end. */
const control =
  /^\s*(?:begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:work\s+|transaction\s+)?to\b))\b/i;
