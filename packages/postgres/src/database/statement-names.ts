import { createHash } from 'node:crypto';

/** The name under which a connection keeps a parsed statement; none, and it is parsed each time. */
export type StatementNames = (text: string) => string | undefined;

/** Names by content, so that two stores, or two releases, on one connection agree. */
export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const digest = createHash('sha256').update(text).digest('hex');
    const name = `onceward_${digest.slice(0, 32)}`;
    names.set(text, name);
    return name;
  };
}
