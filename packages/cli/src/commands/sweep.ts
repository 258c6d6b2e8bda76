import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { withOpenDatabase } from '../connection/open-database.ts';
import { parseCount } from '../count.ts';
import { examples } from '../examples.ts';
import { exitCode } from '../exit-code.ts';
import { goThroughPages } from '../go-through-pages.ts';
import { jsonLine } from '../output/json-line.ts';

export function addSweep(program: Command, { context, end }: CommandHost): void {
  withDatabase(program.command('sweep'))
    .description('free leases that ran out, or mark them as unknown')
    .option('--page-size <count>', 'how many records one statement looks at', parseCount, 1_000)
    .addHelpText(
      'after',
      examples({
        'onceward sweep': 'after a crash, to see what became unknown',
        'onceward sweep --json': 'from cron, where no server runs createMaintenance()',
      }),
    )
    .action(async (options: SweepCommand) => {
      const { totals, pages, isComplete } = await withOpenDatabase(options, context, (open) =>
        goThroughPages(
          open,
          {
            title: 'sweeping',
            pageSize: options.pageSize,
            work: (page) => open.store.sweep(page),
            note: ({ released, unknown }) => `${released} released, ${unknown} unknown`,
          },
          context,
        ),
      );
      const { released, unknown } = totals;
      context.stdout.write(
        options.json
          ? jsonLine({ released, unknown, pages, isComplete })
          : `${released} released, ${unknown} became unknown\n`,
      );
      if (!isComplete) context.stderr.write('stopped early: run it again for the rest\n');
      end(isComplete ? exitCode.ok : exitCode.interrupted);
    });
}

interface SweepCommand extends DatabaseOptions {
  readonly pageSize: number;
}
