import { isOurName } from './statement-names.ts';

/** The part of a connection of `pg` that knows what its server has parsed, by name. */
export interface ParsingConnection {
  readonly parsedStatements?: Record<string, string>;
  readonly submittedNamedStatements?: Record<string, string>;
  close?(message: { type: 'S'; name: string }): void;
}

export function isParsed(connection: ParsingConnection, name: string | undefined): boolean {
  if (name === undefined) return false;
  const { parsedStatements, submittedNamedStatements } = connection;
  return Boolean(parsedStatements?.[name] ?? submittedNamedStatements?.[name]);
}

/**
 * Closes what a connection parsed first, when it is about to parse more than enough.
 *
 * A partition has statements of its own, so each day brings new ones, and a server keeps what it has
 * parsed for as long as the connection lives: about a megabyte for each day.
 *
 * Has to be the first of a flight: what follows an error is skipped.
 */
export function makeRoomFor(
  names: readonly (string | undefined)[],
  connection: ParsingConnection,
): void {
  const { parsedStatements, submittedNamedStatements } = connection;
  if (!parsedStatements || !connection.close) return;
  const coming = names.filter((name) => name !== undefined && !isParsed(connection, name));
  // Nearly always: what is new comes with a new day's partition.
  if (coming.length === 0) return;
  const parsed = ourNames(parsedStatements);
  if (parsed.length + coming.length <= MAX_PARSED) return;
  // One that this very flight needs is parsed again by it.
  for (const name of parsed.slice(0, MAX_PARSED / 2)) {
    connection.close({ type: 'S', name });
    delete parsedStatements[name];
    delete submittedNamedStatements?.[name];
  }
}

/**
 * Takes none of ours for parsed any more: the server has said that one is missing. Somebody sent
 * DEALLOCATE or DISCARD on the connection, and every later flight would fail as well.
 */
export function forgetParsed({ parsedStatements }: ParsingConnection): void {
  if (!parsedStatements) return;
  for (const name of ourNames(parsedStatements)) delete parsedStatements[name];
}

/** The oldest first. */
function ourNames(statements: Record<string, string>): readonly string[] {
  return Object.keys(statements).filter(isOurName);
}

/** Those of a few partitions, each of which has about ten. */
export const MAX_PARSED = 60;
