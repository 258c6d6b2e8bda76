import type { CliContext } from './cli-context.ts';
import { createProgram } from './create-program.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { reportFailure } from './report-failure.ts';

/**
 * Runs one command line, without the name of the program; answers with how the process should end.
 *
 * @example
 * ```ts
 * process.exitCode = await runCli(['doctor', '--json'], processContext());
 * ```
 */
export async function runCli(args: readonly string[], context: CliContext): Promise<ExitCode> {
  let ended: ExitCode = exitCode.ok;
  const program = createProgram({ context, end: (code) => void (ended = code) });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return ended;
  } catch (error) {
    return reportFailure(error, context);
  }
}
