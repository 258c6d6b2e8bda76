/**
 * Names an error for operators, without its message: that may hold what a customer typed.
 *
 * `TypeError`, or `Error (ECONNREFUSED)` where there is a code.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'What was thrown is no Error';
  const { name, code } = error as Error & { code?: unknown };
  const coded = typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? ` (${code})` : '';
  return `${name}${coded}`;
}

/** What PostgreSQL can keep of a text, and a person can read. */
export function shortened(text: string): string {
  return text
    .slice(0, 500)
    .replaceAll('\0', '')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}
