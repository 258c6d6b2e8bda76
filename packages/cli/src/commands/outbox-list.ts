import type { JobFilter, JobState, JobSummary } from '@onceward/postgres/outbox';
import { type Command, Option } from 'commander';
import type { CliContext } from '../cli-context.ts';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { type OpenDatabase, withOpenDatabase } from '../connection/open-database.ts';
import { parseCount } from '../count.ts';
import { formatDuration, timeOption } from '../duration.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { jsonLine } from '../output/json-line.ts';
import { formatTable } from '../output/table.ts';
import { formatTime } from '../output/time.ts';

export function addOutboxList(outbox: Command, { context, end }: CommandHost): void {
  withPages(outbox.command('list'))
    .description('list jobs, newest first; never their payloads')
    .addOption(
      new Option('--state <state>', 'only these').choices([
        'waiting',
        'running',
        'done',
        'dead',
        'discarded',
      ]),
    )
    .addHelpText(
      'after',
      examples({
        'onceward outbox list --state waiting --older-than 10m': 'what no relay has taken',
        'onceward outbox list --task send-receipt --all --json': 'one page per line',
      }),
    )
    .action(async (options: OutboxListCommand) => {
      end(await withOpenDatabase(options, context, (open) => listJobs(open, options, context)));
    });
}

export function addOutboxDead(outbox: Command, { context, end }: CommandHost): void {
  withPages(outbox.command('dead'))
    .description('list dead jobs: 1 if there are any')
    .addHelpText('after', examples({ 'onceward outbox dead': 'what waits for a decision' }))
    .action(async (given: OutboxListCommand) => {
      const options = { ...given, state: 'dead' as const };
      end(await withOpenDatabase(options, context, (open) => listJobs(open, options, context)));
    });
}

function withPages(command: Command): Command {
  return withDatabase(command)
    .option('--task <name>', 'only of this task')
    .addOption(timeOption('--older-than <time>', 'only what was written so long ago', '0s'))
    .option('--limit <count>', 'how many on a page, at most 1000', parseCount, 50)
    .addOption(new Option('--cursor <cursor>', 'go on where the last page ended').conflicts('all'))
    .option('--all', 'every page');
}

interface OutboxListCommand extends DatabaseOptions {
  readonly state?: JobState;
  readonly task?: string;
  readonly olderThan: number;
  readonly limit: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

async function listJobs(
  { jobs }: OpenDatabase,
  options: OutboxListCommand,
  { stdout, stderr, now, signal }: CliContext,
): Promise<ExitCode> {
  let { cursor } = options;
  let found = 0;
  do {
    const page = await jobs.list(filterOf(options, cursor));
    cursor = page.cursor;
    found += page.jobs.length;
    if (options.json) stdout.write(jsonLine({ jobs: page.jobs, cursor: cursor ?? null }));
    else if (page.jobs.length > 0) stdout.write(tableOf(page.jobs, now()));
    if (signal.aborted) return exitCode.interrupted;
  } while (options.all && cursor !== undefined);

  if (!options.json && found === 0) stderr.write('no job matches\n');
  if (!options.json && cursor !== undefined) {
    stderr.write(`there may be more: --cursor ${cursor}, or --all\n`);
  }
  return options.state === 'dead' && found > 0 ? exitCode.attention : exitCode.ok;
}

function filterOf(
  { state, task, olderThan: olderThanMs, limit }: OutboxListCommand,
  cursor: string | undefined,
): JobFilter {
  return {
    olderThanMs,
    limit,
    ...(state === undefined ? {} : { state }),
    ...(task === undefined ? {} : { task }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

function tableOf(jobs: readonly JobSummary[], now: number): string {
  return formatTable(
    [
      { title: 'ID', align: 'right' },
      { title: 'STATE' },
      { title: 'TASK' },
      { title: 'LANE' },
      { title: 'WRITTEN' },
      { title: 'ATTEMPT', align: 'right' },
      { title: 'DETAIL' },
    ],
    jobs.map((job) => [
      job.id,
      job.state,
      job.task,
      job.lane ?? '',
      formatTime(job.createdAt),
      String(job.attempt),
      detailOf(job, now),
    ]),
  );
}

function detailOf(job: JobSummary, now: number): string {
  switch (job.state) {
    case 'waiting': {
      const lateMs = now - (job.dueAt ?? now);
      return lateMs > 0 ? `due for ${formatDuration(lateMs)}` : `due in ${formatDuration(-lateMs)}`;
    }
    case 'running':
      return job.leaseRanOut ? 'its lease ran out' : 'a relay has it';
    case 'done':
      return '';
    case 'dead':
      return job.lastError ?? '';
    case 'discarded':
      return `${job.decidedBy ?? ''}: ${job.reason ?? ''}`;
  }
}
