import { Command } from 'commander';
import type { CommandHost } from './command-host.ts';
import { addBust } from './commands/bust.ts';
import { addDoctor } from './commands/doctor.ts';
import { addKeys } from './commands/keys.ts';
import { addMigrate } from './commands/migrate.ts';
import { addOutbox } from './commands/outbox.ts';
import { addPrune } from './commands/prune.ts';
import { addSettle } from './commands/settle.ts';
import { addShow } from './commands/show.ts';
import { addStats } from './commands/stats.ts';
import { addSweep } from './commands/sweep.ts';
import { addWatch } from './commands/watch.ts';
import { exitCodeHelp } from './exit-code-help.ts';
import { version } from './version.ts';

/** The command line: every command, its options and its help. */
export function createProgram(host: CommandHost): Command {
  const { stdout, stderr } = host.context;
  const program = new Command('onceward')
    .description('The operator’s tool for idempotency records in PostgreSQL.')
    .version(version())
    .exitOverride()
    .showHelpAfterError('(add --help for the options and examples)')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    })
    .addHelpText('after', `\n${exitCodeHelp}`);
  for (const add of [
    addMigrate,
    addKeys,
    addShow,
    addSettle,
    addBust,
    addSweep,
    addPrune,
    addOutbox,
    addStats,
    addWatch,
    addDoctor,
  ]) {
    add(program, host);
  }
  return program;
}
