import type { CliContext } from './cli-context.ts';
import type { ExitCode } from './exit-code.ts';

/** What a command is added to: the world it runs in, and who hears how it ended. */
export interface CommandHost {
  readonly context: CliContext;
  readonly end: (code: ExitCode) => void;
}
