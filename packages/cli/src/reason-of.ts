/**
 * What an error says, for a person.
 *
 * A host with several addresses fails with one error for each, and no message of its own.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join(', ');
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
