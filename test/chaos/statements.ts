/** What a server sends to the database is for, as far as chaos has a name for it. */
export function statementOf(texts: readonly string[]): Statement | undefined {
  for (const text of texts) {
    const found = seen.get(text) ?? nameOf(text);
    // Texts are few, and sent a thousand times a second.
    if (seen.size < 1_000) seen.set(text, found);
    if (found !== 'another') return found;
  }
  return undefined;
}

export type Statement = keyof typeof statements;

/** The point where one is on its way. */
export type SentPoint = `${Statement}-sent`;

const statements = {
  commit: /^commit\b/,
  complete: /\bset state\s+= .*\boutcome\s+= (\$3|\(\$3)/s,
  reserve: /\bon conflict \(id\) do nothing\b/,
  step: /\bset body = coalesce\(body/,
} as const;

const seen = new Map<string, Statement | 'another'>();

function nameOf(text: string): Statement | 'another' {
  const found = Object.entries(statements).find(([, pattern]) => pattern.test(text));
  return found ? (found[0] as Statement) : 'another';
}
