import type { Command } from 'commander';
import { actorOf } from '../actor.ts';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { withOpenDatabase } from '../connection/open-database.ts';
import { examples } from '../examples.ts';
import { exitCode } from '../exit-code.ts';
import { jsonLine } from '../output/json-line.ts';

export function addOutboxDiscard(outbox: Command, { context, end }: CommandHost): void {
  withDatabase(outbox.command('discard'))
    .description('decide that a waiting or dead job is never run')
    .argument('<id>')
    .requiredOption('--reason <text>', 'why; kept with the job and your name')
    .option('--actor <name>', 'who decides (default: $ONCEWARD_ACTOR or $USER)')
    .addHelpText(
      'after',
      examples({
        'onceward outbox discard 7 --reason "the customer was called"': 'nobody needs it any more',
      }),
    )
    .action(async (id: string, options: DiscardCommand) => {
      const by = actorOf(options.actor, context);
      const result = await withOpenDatabase(options, context, ({ jobs }) =>
        jobs.discard(id, { reason: options.reason, by }),
      );
      if (options.json) context.stdout.write(jsonLine({ id, result }));
      if (result === 'discarded') {
        if (!options.json) context.stdout.write(`${id} is never run\n`);
        return end(exitCode.ok);
      }
      context.stderr.write(
        result === 'running'
          ? 'nothing was changed: a relay runs it right now\n'
          : 'nothing was changed: there is no such job that waits or is dead\n',
      );
      end(exitCode.attention);
    });
}

interface DiscardCommand extends DatabaseOptions {
  readonly reason: string;
  readonly actor?: string;
}
