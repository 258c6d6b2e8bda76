import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { withOpenDatabase } from '../connection/open-database.ts';
import { parseCount } from '../count.ts';
import { examples } from '../examples.ts';
import { exitCode } from '../exit-code.ts';
import { goThroughPages } from '../go-through-pages.ts';
import { jsonLine } from '../output/json-line.ts';

export function addPrune(program: Command, { context, end }: CommandHost): void {
  withDatabase(program.command('prune'))
    .description('drop partitions, records and answers past their retention; make new partitions')
    .option('--page-size <count>', 'how many records one statement looks at', parseCount, 1_000)
    .addHelpText(
      'after',
      examples({
        'onceward prune': 'to free space now',
        'onceward prune --json': 'from cron, where no server runs createMaintenance()',
      }),
    )
    .action(async (options: PruneCommand) => {
      const { totals, pages, isComplete } = await withOpenDatabase(options, context, (open) =>
        goThroughPages(
          open,
          {
            title: 'pruning',
            pageSize: options.pageSize,
            work: (page) => open.store.prune(page),
            note: ({ pruned, answersDropped }) => `${pruned} pruned, ${answersDropped} answers`,
          },
          context,
        ),
      );
      const { pruned, answersDropped } = totals;
      context.stdout.write(
        options.json
          ? jsonLine({ pruned, answersDropped, pages, isComplete })
          : `${pruned} records pruned, ${answersDropped} answers dropped\n`,
      );
      if (!isComplete) context.stderr.write('stopped early: run it again for the rest\n');
      end(isComplete ? exitCode.ok : exitCode.interrupted);
    });
}

interface PruneCommand extends DatabaseOptions {
  readonly pageSize: number;
}
