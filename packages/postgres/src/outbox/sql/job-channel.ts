/** What relays of a schema listen to. At most 62 characters, for PostgreSQL cuts names at 63. */
export function jobChannel(schema: string): string {
  return `onceward_jobs_${schema.replaceAll('"', '')}`;
}
