import type { Audit, RecordName, Settlement } from '@onceward/core/store';
import type { RecordListing } from '@onceward/postgres';
import { createEngine } from '@onceward/server';
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
  if (options.executed && options.value !== undefined) {
    return withValue(await readJson(options.value, context), { options, audit });
  }
  const settlement = settlementOf(options, audit);
  // What was found is about the attempt that was unknown when it was looked for.
  return ({ store }, record) => store.settle(record, { ...settlement, attempt: record.attempt });
}

function settlementOf(options: SettleCommand, audit: Audit): Settlement {
  if (options.notExecuted) return { kind: 'not-executed', quietMs: options.quiet, audit };
  if (!options.executed) {
    throw new CliFailure(exitCode.usage, 'Say what became of it: --executed or --not-executed.');
  }
  const outcome = { kind: 'unavailable', reason: 'settled' } as const;
  const completion = { outcome, answerRetentionMs: options.answerRetention };
  return { kind: 'executed', completion, audit };
}

/** The engine knows how answers are written. */
function withValue(
  value: unknown,
  { options, audit }: { options: SettleCommand; audit: Audit },
): Settle {
  return ({ store }, record) => {
    const mutation = createEngine({ store, storeTimeoutMs: 60_000 }).mutation({
      operation: record.operation,
      effect: 'external',
      answerVersion: options.answerVersion,
      answerRetentionMs: options.answerRetention,
      keyRetentionMs: Infinity,
      maxAnswerBytes: 64 * 1024 * 1024,
    });
    const { attempt } = record;
    return mutation.settleRecord(nameOf(record), { kind: 'executed', value, attempt, audit });
  };
}

function nameOf({ scope, key, keyTimestampMs }: RecordListing): RecordName {
  return { scope, key, keyTimestampMs };
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

/** JSON if it is an object or a list, else the words themselves. */
function evidenceOf(text: string): unknown {
  if (text.trim() === '') {
    throw new CliFailure(exitCode.usage, '--evidence is empty: say what was found, and where.');
  }
  if (!/^\s*[{[]/.test(text)) return text;
  return parseJson(text, '--evidence');
}

async function readJson(path: string, { readFile }: CliContext): Promise<unknown> {
  const text = await readFile(path).catch((cause: unknown) => {
    const { code = 'unreadable' } = cause as NodeJS.ErrnoException;
    throw new CliFailure(exitCode.usage, `--value names a file that cannot be read: ${code}.`, {
      cause,
    });
  });
  return parseJson(text, '--value');
}

function parseJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    // Its own message quotes the text.
    throw new CliFailure(exitCode.usage, `${option} is not valid JSON.`, { cause });
  }
}
