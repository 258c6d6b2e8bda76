import { printable } from '@onceward/core';
import { CommanderError } from 'commander';
import type { CliContext } from './cli-context.ts';
import { CliFailure } from './cli-failure.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { reasonOf } from './reason-of.ts';

/** Says what went wrong and what to do about it; answers with how the process ends. */
export function reportFailure(error: unknown, { stderr }: CliContext): ExitCode {
  // Commander has said it already: help that was asked for, or what is wrong with the arguments.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  const { message, advice, code } = describe(error);
  stderr.write(`error: ${printable(message)}\n`);
  if (advice !== undefined) stderr.write(`       ${printable(advice)}\n`);
  return code;
}

interface Description {
  readonly message: string;
  readonly advice?: string | undefined;
  readonly code: ExitCode;
}

function describe(error: unknown): Description {
  if (error instanceof CliFailure) {
    return { message: error.message, advice: error.advice, code: error.exitCode };
  }
  // Of the packages below: an option that was passed on names itself.
  if (error instanceof TypeError && error.message.startsWith('Expected `')) {
    return { message: error.message, code: exitCode.usage };
  }
  const state = sqlStateOf(error);
  const advice = state === undefined ? undefined : adviceFor[state];
  const suffix = state === undefined ? '' : ` (SQLSTATE ${state})`;
  return { message: `${reasonOf(error)}${suffix}`, advice, code: exitCode.failed };
}

/** Of the error, or of what caused it. `EPIPE` of Node.js has no digit. */
function sqlStateOf(error: unknown): string | undefined {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code;
  return cause === undefined ? undefined : sqlStateOf(cause);
}

const migrate =
  'The tables are missing or older than this release: see `onceward migrate --status`, and ' +
  'whether --schema names the right schema.';

const adviceFor: Readonly<Record<string, string>> = {
  '3F000': migrate,
  '42P01': migrate,
  '42703': migrate,
  '42883': migrate,
  '42501':
    'This role lacks rights: as the owner of the tables, run select onceward.grant_to(…) with its ' +
    'name (and the name of your schema), or connect as the owner.',
  '25006': 'This session is read-only: connect to the primary.',
};
