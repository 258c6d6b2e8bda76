import { migrate, migrationSql, pendingMigrations } from '@onceward/postgres';
import { type Command, Option } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { type OpenDatabase, withOpenDatabase } from '../connection/open-database.ts';
import { parseCount } from '../count.ts';
import { parseDuration } from '../duration.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { jsonLine } from '../output/json-line.ts';
import { formatFacts } from '../output/table.ts';

export function addMigrate(program: Command, { context, end }: CommandHost): void {
  withDatabase(program.command('migrate'))
    .description('create the tables, or bring them up to date')
    .addOption(
      new Option('--status', 'say what is installed; 1 if anything is pending').conflicts([
        'dryRun',
        'sql',
      ]),
    )
    .addOption(new Option('--dry-run', 'say what would run, and run nothing').conflicts('sql'))
    .option('--sql', 'print the SQL, without connecting: for a migration tool of yours')
    .option('--installed <number>', 'with --sql: the last migration that has run', parseCount)
    .option('--partition-width <time>', 'time that one partition spans, chosen once', parseDuration)
    .option('--partition-horizon <time>', 'age at which a partition is dropped', parseDuration)
    .option('--no-partitions', 'one plain table')
    .addHelpText(
      'after',
      examples({
        'onceward migrate': 'before the new release starts',
        'onceward migrate --status': 'in a health check',
        'onceward migrate --sql > 001_onceward.sql': 'for another migration tool',
        'onceward migrate --partition-width 1h --partition-horizon 2d': 'a busy table, kept short',
      }),
    )
    .action(async (options: MigrateCommand) => end(await runMigrate(options, context)));
}

interface MigrateCommand extends DatabaseOptions {
  readonly status?: boolean;
  readonly dryRun?: boolean;
  readonly sql?: boolean;
  readonly installed?: number;
  readonly partitionWidth?: number;
  readonly partitionHorizon?: number;
  readonly partitions: boolean;
}

async function runMigrate(options: MigrateCommand, context: CliContext): Promise<ExitCode> {
  const { schema } = options;
  const layout = layoutOf(options);
  if (options.sql) {
    const { installed = 0 } = options;
    context.stdout.write(migrationSql({ schema, installed, ...layout }));
    return exitCode.ok;
  }
  return withOpenDatabase(options, context, async (database) => {
    if (options.status) return showStatus(database, options, context);
    if (options.dryRun) {
      const pending = await pendingMigrations(database.pool, { schema });
      report(context, options, { schema, wouldRun: pending });
      return exitCode.ok;
    }
    report(context, options, { schema, ran: await migrate(database.pool, { schema, ...layout }) });
    return exitCode.ok;
  });
}

function layoutOf({ partitions, partitionWidth, partitionHorizon }: MigrateCommand) {
  const widthMs = partitionWidth === undefined ? {} : { widthMs: partitionWidth };
  const horizonMs = partitionHorizon === undefined ? {} : { horizonMs: partitionHorizon };
  const asked = { ...widthMs, ...horizonMs };
  if (partitions) return Object.keys(asked).length > 0 ? { partitions: asked } : {};
  if (Object.keys(asked).length === 0) return { partitions: false as const };
  throw new CliFailure(
    exitCode.usage,
    '--no-partitions cannot be used with --partition-width or --partition-horizon.',
  );
}

async function showStatus(
  { operator, pool, schema, address }: OpenDatabase,
  { json }: MigrateCommand,
  { stdout }: CliContext,
): Promise<ExitCode> {
  const { installed, known } = await operator.schemaVersion();
  const pending = installed > known ? [] : await pendingMigrations(pool, { schema });
  stdout.write(
    json
      ? jsonLine({ schema, installed, known, pending })
      : formatFacts({
          database: address,
          schema,
          installed: `migration ${installed}`,
          known: `migration ${known}`,
          pending: pending.join(', ') || 'none',
          problem: installed > known ? 'newer than this release: upgrade @onceward/cli' : undefined,
        }),
  );
  return installed === known ? exitCode.ok : exitCode.attention;
}

function report(
  { stdout }: CliContext,
  { json }: MigrateCommand,
  result: { schema: string } & ({ ran: string[] } | { wouldRun: string[] }),
): void {
  if (json) return stdout.write(jsonLine(result));
  const [word, names] =
    'ran' in result ? (['ran', result.ran] as const) : (['would run', result.wouldRun] as const);
  if (names.length === 0) return stdout.write('nothing to do: the tables are up to date\n');
  for (const name of names) stdout.write(`${word} ${name}\n`);
}
