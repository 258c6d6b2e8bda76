import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { type OpenDatabase, withOpenDatabase } from '../connection/open-database.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { jsonLine } from '../output/json-line.ts';

export function addOutboxRetry(outbox: Command, { context, end }: CommandHost): void {
  withDatabase(outbox.command('retry'))
    .description('let dead jobs be tried again, as often as new ones')
    .argument('[id...]', 'of `onceward outbox dead`')
    .option('--all-dead', 'all of them')
    .option('--task <name>', 'with --all-dead: only of this task')
    .addHelpText(
      'after',
      examples({
        'onceward outbox retry 7 12': 'these two',
        'onceward outbox retry --all-dead --task send-receipt': 'the mail server is back',
      }),
    )
    .action(async (ids: string[], options: RetryCommand) => {
      if ((options.allDead ?? false) === ids.length > 0) {
        throw new CliFailure(exitCode.usage, 'Name the jobs by their ids, or pass --all-dead.');
      }
      if (options.task !== undefined && !options.allDead) {
        throw new CliFailure(exitCode.usage, '--task goes with --all-dead.');
      }
      end(
        await withOpenDatabase(options, context, (open) =>
          options.allDead
            ? retryAll(open, options, context)
            : retryEach(open, { ...options, ids }, context),
        ),
      );
    });
}

interface RetryCommand extends DatabaseOptions {
  readonly allDead?: boolean;
  readonly task?: string;
}

async function retryAll(
  { jobs }: OpenDatabase,
  { task, json }: RetryCommand,
  { stdout }: CliContext,
): Promise<ExitCode> {
  const waiting = await jobs.retryDead(task === undefined ? {} : { task });
  stdout.write(json ? jsonLine({ waiting }) : `${waiting} jobs wait to be tried again\n`);
  return exitCode.ok;
}

async function retryEach(
  { jobs }: OpenDatabase,
  { ids, json }: RetryCommand & { ids: readonly string[] },
  { stdout, stderr }: CliContext,
): Promise<ExitCode> {
  let refused = 0;
  for (const id of ids) {
    const result = await jobs.retry(id);
    if (result === 'not-dead') refused += 1;
    if (json) stdout.write(jsonLine({ id, result }));
    else if (result === 'waiting') stdout.write(`${id} waits to be tried again\n`);
    else stderr.write(`${id} is not dead: nothing was changed\n`);
  }
  return refused > 0 ? exitCode.attention : exitCode.ok;
}
