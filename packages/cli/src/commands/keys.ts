import type { RecordState } from '@onceward/core/store';
import type { RecordListing } from '@onceward/postgres';
import { type Command, Option } from 'commander';
import type { CliContext } from '../cli-context.ts';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { type OpenDatabase, withOpenDatabase } from '../connection/open-database.ts';
import { parseCount } from '../count.ts';
import { formatDuration, parseDuration } from '../duration.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { jsonLine } from '../output/json-line.ts';
import { formatTable } from '../output/table.ts';
import { formatTime } from '../output/time.ts';

export function addKeys(program: Command, { context, end }: CommandHost): void {
  withDatabase(program.command('keys'))
    .description('list keys, oldest first; never their answers')
    .addOption(
      new Option('--state <state>', 'only these').choices([
        'in-progress',
        'released',
        'completed',
        'unknown',
      ]),
    )
    .option('--scope <scope>', 'only of this tenant or user')
    .option('--operation <name>', 'only of this mutation')
    .option('--older-than <time>', 'only what has been as it is for so long', parseDuration)
    .option('--limit <count>', 'how many on a page', parseCount, 50)
    .addOption(new Option('--cursor <cursor>', 'go on where the last page ended').conflicts('all'))
    .option('--all', 'every page')
    .addHelpText(
      'after',
      examples({
        'onceward keys --state unknown': 'what waits for evidence',
        'onceward keys --state in-progress --older-than 10m': 'leases that ran out ten minutes ago',
        'onceward keys --scope user-7 --all --json': 'everything of a user: one page per line',
      }),
    )
    .action(async (options: KeysCommand) => {
      end(await withOpenDatabase(options, context, (open) => listKeys(open, options, context)));
    });
}

interface KeysCommand extends DatabaseOptions {
  readonly state?: RecordState;
  readonly scope?: string;
  readonly operation?: string;
  readonly olderThan?: number;
  readonly limit: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

async function listKeys(
  { operator }: OpenDatabase,
  options: KeysCommand,
  { stdout, stderr, now, signal }: CliContext,
): Promise<ExitCode> {
  const { state, scope, operation, olderThan: olderThanMs, limit } = options;
  const filter = { state, scope, operation, olderThanMs };
  let { cursor } = options;
  let found = 0;
  do {
    const page = await operator.list(filter, { limit, cursor });
    cursor = page.cursor;
    found += page.records.length;
    if (options.json) stdout.write(jsonLine({ records: page.records, cursor: cursor ?? null }));
    else if (page.records.length > 0) stdout.write(tableOf(page.records, now()));
    if (signal.aborted) return exitCode.interrupted;
  } while (options.all && cursor !== undefined);

  if (!options.json && found === 0) stderr.write('no key matches\n');
  if (!options.json && cursor !== undefined) {
    stderr.write(`there may be more: --cursor ${cursor}, or --all\n`);
  }
  return exitCode.ok;
}

function tableOf(records: readonly RecordListing[], now: number): string {
  return formatTable(
    [
      { title: 'KEY' },
      { title: 'STATE' },
      { title: 'OPERATION' },
      { title: 'SCOPE' },
      { title: 'MINTED' },
      { title: 'ATTEMPT', align: 'right' },
      { title: 'DETAIL' },
    ],
    records.map((record) => [
      record.key,
      record.state,
      record.operation,
      record.scope,
      record.keyTimestampMs === null ? '' : formatTime(record.keyTimestampMs),
      String(record.attempt),
      detailOf(record, now),
    ]),
  );
}

/** What matters about a record in its state. */
export function detailOf(record: RecordListing, now: number): string {
  switch (record.state) {
    case 'in-progress': {
      const leftMs = (record.leaseExpiresAt ?? 0) - now;
      return leftMs > 0
        ? `lease runs out in ${formatDuration(leftMs)}`
        : `lease ran out ${formatDuration(-leftMs)} ago`;
    }
    case 'released':
      return 'the next delivery executes';
    case 'completed':
      return record.outcome ?? '';
    case 'unknown':
      return `for ${formatDuration(now - (record.unknownSince ?? now))}`;
  }
}
