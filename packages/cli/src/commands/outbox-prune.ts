import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { withOpenDatabase } from '../connection/open-database.ts';
import { parseDuration } from '../duration.ts';
import { examples } from '../examples.ts';
import { exitCode } from '../exit-code.ts';
import { jsonLine } from '../output/json-line.ts';

export function addOutboxPrune(outbox: Command, { context, end }: CommandHost): void {
  withDatabase(outbox.command('prune'))
    .description('delete jobs that were done or discarded long ago; never dead ones')
    .requiredOption(
      '--older-than <time>',
      'longer than an intent can be attempted again',
      parseDuration,
    )
    .addHelpText('after', examples({ 'onceward outbox prune --older-than 30d': 'from cron' }))
    .action(async (options: OutboxPruneCommand) => {
      const pruned = await withOpenDatabase(options, context, ({ jobs }) =>
        jobs.prune({ retentionMs: options.olderThan }),
      );
      context.stdout.write(options.json ? jsonLine({ pruned }) : `${pruned} jobs pruned\n`);
      end(exitCode.ok);
    });
}

interface OutboxPruneCommand extends DatabaseOptions {
  readonly olderThan: number;
}
