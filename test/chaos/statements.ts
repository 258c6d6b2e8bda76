/** What a server sends to the database is for, as far as chaos has a name for it. */
export function statementOf(texts: readonly string[]): string {
  const found = Object.entries(statements).find(([, pattern]) =>
    texts.some((text) => pattern.test(text)),
  );
  return found ? `, ${found[0]}` : '';
}

const statements = {
  commit: /^commit\b/,
  complete: /\bset state\s+= .*\boutcome\s+= \$3/s,
  reserve: /\bon conflict \(id\) do nothing\b/,
  step: /\bset body = coalesce\(body/,
} as const;
