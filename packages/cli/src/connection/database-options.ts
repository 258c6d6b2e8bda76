import type { Command } from 'commander';

/** What every command that talks to PostgreSQL takes. */
export interface DatabaseOptions {
  readonly url?: string;
  readonly schema: string;
  readonly json?: boolean;
}

export function withDatabase(command: Command): Command {
  return command
    .option('--url <url>', 'PostgreSQL to connect to (default: $DATABASE_URL)')
    .option('--schema <name>', 'schema of the tables', 'onceward')
    .option('--json', 'print JSON for programs');
}
