import type { ExitCode } from './exit-code.ts';

/** Ends a command with a sentence for a person: what is wrong, and what to do about it. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  readonly exitCode: ExitCode;
  /** What to do; `undefined` where the message says it all. */
  readonly advice: string | undefined;

  constructor(exitCode: ExitCode, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause });
    this.exitCode = exitCode;
    this.advice = options.advice;
  }
}

export interface FailureOptions {
  readonly advice?: string;
  readonly cause?: unknown;
}
