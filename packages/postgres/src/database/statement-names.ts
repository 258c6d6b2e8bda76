import { createHash } from 'node:crypto';

/** The name under which a connection keeps a parsed statement; none, and it is parsed each time. */
export type StatementNames = (text: string) => string | undefined;

/** Names by content, so that two stores, or two releases, on one connection agree. */
export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    // A partition is over some day, and its statements with it.
    if (names.size >= MAX_NAMES) names.clear();
    const digest = createHash('sha256').update(text).digest('hex');
    const name = `${PREFIX}${digest.slice(0, 32)}`;
    names.set(text, name);
    return name;
  };
}

/** Others may name statements on the same connection. */
export function isOurName(name: string): boolean {
  return name.startsWith(PREFIX);
}

const PREFIX = 'onceward_';
const MAX_NAMES = 1_000;
