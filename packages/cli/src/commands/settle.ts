import type { RecordListing } from '@onceward/postgres';
import { type Evidence, evidenceFromText, settleUnknown } from '@onceward/server';
import { type Command, Option } from 'commander';
import { actorOf } from '../actor.ts';
import type { CliContext } from '../cli-context.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { type OpenDatabase, withOpenDatabase } from '../connection/open-database.ts';
import { parseCount } from '../count.ts';
import { formatDuration, timeOption } from '../duration.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { findRecord } from '../find-record.ts';
import { jsonLine } from '../output/json-line.ts';

export function addSettle(program: Command, { context, end }: CommandHost): void {
  withDatabase(program.command('settle'))
    .description('decide an unknown outcome on evidence, which is kept with your name')
    .argument('<key>')
    .option('--scope <scope>', 'whose key it is, if several have it')
    .addOption(new Option('--executed', 'it took effect').conflicts('notExecuted'))
    .option('--not-executed', 'it did not, and cannot any more: the next delivery executes')
    .requiredOption('--evidence <text>', 'what was found where: text, or JSON; no secrets')
    .option('--actor <name>', 'who says so (default: $ONCEWARD_ACTOR or $USER)')
    .addOption(
      new Option(
        '--value <file>',
        'with --executed: the answer for later deliveries, as JSON; without it they get 410',
      ).conflicts('notExecuted'),
    )
    .option('--answer-version <number>', 'with --value: its schema version', parseCount, 1)
    .addOption(timeOption('--answer-retention <time>', 'how long the answer is kept', '24h'))
    .addOption(
      timeOption(
        '--quiet <time>',
        'with --not-executed: time after which no old attempt can still act',
        '15m',
      ),
    )
    .addHelpText(
      'after',
      `${examples({
        'onceward settle KEY --executed --evidence \'{"charge":"ch_7"}\' --value receipt.json':
          'the provider has the charge',
        'onceward settle KEY --not-executed --evidence "no charge at the provider, 14:10"':
          'the provider has none, and nothing is under way',
      })}

--value holds what the server would have stored: for tRPC what it sends as result.data (written by
your transformer, if there is one), for GraphQL the result: {"data": …}. Where answers are encrypted,
a plain one is not replayed: settle such keys in the application, or without --value.`,
    )
    .action(async (key: string, options: SettleCommand) => {
      const settle = await decisionFrom(options, context);
      end(
        await withOpenDatabase(options, context, (open) =>
          settleKey(open, { ...options, key, settle }, context),
        ),
      );
    });
}

interface SettleCommand extends DatabaseOptions {
  readonly scope?: string;
  readonly executed?: boolean;
  readonly notExecuted?: boolean;
  readonly evidence: string;
  readonly actor?: string;
  readonly value?: string;
  readonly answerVersion: number;
  readonly answerRetention: number;
  readonly quiet: number;
}

type Settle = (
  database: OpenDatabase,
  record: RecordListing,
) => Promise<'settled' | 'not-unknown' | 'too-soon'>;

/** Reads and checks everything before anything is asked of the database. */
async function decisionFrom(options: SettleCommand, context: CliContext): Promise<Settle> {
  const audit = { actor: actorOf(options.actor, context), evidence: evidenceOf(options.evidence) };
  const found: Evidence = { ...(await decisionOf(options, context)), audit };
  const { answerRetention: answerRetentionMs, answerVersion } = options;
  // What was found is about the attempt that was unknown when it was looked for.
  return ({ store }, record) =>
    settleUnknown(
      { store, record },
      { ...found, attempt: record.attempt },
      { answerRetentionMs, answerVersion },
    );
}

async function decisionOf(options: SettleCommand, context: CliContext): Promise<Evidence> {
  if (options.notExecuted) return { kind: 'not-executed', quietMs: options.quiet };
  if (!options.executed) {
    throw new CliFailure(exitCode.usage, 'Say what became of it: --executed or --not-executed.');
  }
  if (options.value === undefined) return { kind: 'executed' };
  return { kind: 'executed', value: await readJson(options.value, context) };
}

async function settleKey(
  database: OpenDatabase,
  options: SettleCommand & { key: string; settle: Settle },
  { stdout, stderr, now }: CliContext,
): Promise<ExitCode> {
  const record = await findRecord(database, options.key, options.scope);
  const result = await options.settle(database, record);
  if (options.json) {
    const { key, scope, operation } = record;
    stdout.write(jsonLine({ key, scope, operation, result }));
  }
  const word = options.executed ? 'executed' : 'not executed';
  switch (result) {
    case 'settled':
      if (!options.json) stdout.write(`settled as ${word}\n`);
      return exitCode.ok;
    case 'not-unknown':
      stderr.write(
        record.state === 'unknown'
          ? 'nothing was changed: it was settled or attempted again meanwhile. Look at it once more\n'
          : `nothing was changed: the key is ${record.state}, not unknown\n`,
      );
      return exitCode.attention;
    case 'too-soon': {
      const sinceMs = now() - (record.unknownSince ?? now());
      stderr.write(
        `nothing was changed: it has been unknown for ${formatDuration(sinceMs)}, and an old ` +
          `attempt may act for ${formatDuration(options.quiet)} (--quiet).\n` +
          `Look for evidence again after ${formatDuration(Math.max(0, options.quiet - sinceMs))}.\n`,
      );
      return exitCode.attention;
    }
  }
}

function evidenceOf(text: string): unknown {
  if (text.trim() === '') {
    throw new CliFailure(exitCode.usage, '--evidence is empty: say what was found, and where.');
  }
  const evidence = evidenceFromText(text);
  if (evidence !== undefined) return evidence;
  throw new CliFailure(exitCode.usage, '--evidence is not valid JSON.');
}

async function readJson(path: string, { readFile }: CliContext): Promise<unknown> {
  const text = await readFile(path).catch((cause: unknown) => {
    const { code = 'unreadable' } = cause as NodeJS.ErrnoException;
    throw new CliFailure(exitCode.usage, `--value names a file that cannot be read: ${code}.`, {
      cause,
    });
  });
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    // Its own message quotes the text.
    throw new CliFailure(exitCode.usage, '--value is not valid JSON.', { cause });
  }
}
