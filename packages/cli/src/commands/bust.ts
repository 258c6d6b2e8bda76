import { printable } from '@onceward/core';
import type { BustResult } from '@onceward/postgres';
import type { Command } from 'commander';
import { actorOf } from '../actor.ts';
import type { CliContext } from '../cli-context.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { type OpenDatabase, withOpenDatabase } from '../connection/open-database.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { findRecord } from '../find-record.ts';
import { jsonLine } from '../output/json-line.ts';

export function addBust(program: Command, { context, end }: CommandHost): void {
  withDatabase(program.command('bust'))
    .description('free the key of a stored failure, so that its next delivery is executed')
    .argument('<key>')
    .option('--scope <scope>', 'whose key it is, if several have it')
    .requiredOption('--reason <text>', 'why; kept with your name')
    .option('--actor <name>', 'who does it (default: $ONCEWARD_ACTOR or $USER)')
    .option('--even-if-executed', 'also what took effect: the next delivery does it again')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      examples({
        'onceward bust KEY --reason "the bank refused everybody until 14:00"':
          'a failure that should not be replayed',
        'onceward bust KEY --even-if-executed --reason "refunded by hand, order again"':
          'asks first, because it will happen a second time',
      }),
    )
    .action(async (key: string, options: BustCommand) => {
      const actor = actorOf(options.actor, context);
      end(
        await withOpenDatabase(options, context, (open) =>
          bustKey(open, { ...options, key, actor }, context),
        ),
      );
    });
}

interface BustCommand extends DatabaseOptions {
  readonly scope?: string;
  readonly reason: string;
  readonly actor?: string;
  readonly evenIfExecuted?: boolean;
  readonly yes?: boolean;
}

async function bustKey(
  database: OpenDatabase,
  options: BustCommand & { key: string; actor: string },
  context: CliContext,
): Promise<ExitCode> {
  const { actor, reason, evenIfExecuted = false } = options;
  const record = await findRecord(database, options.key, options.scope);
  const { key, scope, operation, outcome, attempt } = record;
  if (evenIfExecuted && record.state === 'completed' && outcome !== 'failure' && !options.yes) {
    await confirm(`${operation} of ${scope} took effect. Let it happen a second time?`, context);
  }
  const result = await database.operator.bust(record, { actor, reason, evenIfExecuted, attempt });
  if (options.json) context.stdout.write(jsonLine({ key, scope, operation, result }));
  if (result === 'busted') {
    if (!options.json) context.stdout.write('busted: its next delivery is executed\n');
    return exitCode.ok;
  }
  context.stderr.write(`nothing was changed: ${refusals[result]}\n`);
  return exitCode.attention;
}

async function confirm(question: string, { ask }: CliContext): Promise<void> {
  if (!ask) {
    throw new CliFailure(exitCode.usage, '--even-if-executed asks first, and nobody is here.', {
      advice: 'Add --yes to say that it may happen a second time.',
    });
  }
  const said = await ask(`${printable(question)} Type yes: `);
  if (said.trim().toLowerCase() === 'yes') return;
  throw new CliFailure(exitCode.attention, 'Nothing was changed.');
}

const refusals: Readonly<Record<Exclude<BustResult, 'busted'>, string>> = {
  absent: 'the record is gone',
  'in-progress': 'somebody is executing it right now, or died and waits for `onceward sweep`',
  unknown: 'nobody knows whether it took effect: find out, and use `onceward settle`',
  released: 'its next delivery is executed anyway',
  executed: 'it took effect, and would happen a second time: --even-if-executed if that is meant',
  'attempted-again': 'it was attempted again meanwhile. Look at it once more',
};
