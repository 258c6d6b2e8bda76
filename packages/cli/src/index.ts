export type { CliContext, Output } from './cli-context.ts';
export { exitCode, type ExitCode } from './exit-code.ts';
export { processContext } from './process-context.ts';
export { runCli } from './run-cli.ts';
