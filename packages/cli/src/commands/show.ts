import type { AuditEntry, RecordDetails } from '@onceward/postgres';
import { describeAnswer } from '@onceward/server';
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { type OpenDatabase, withOpenDatabase } from '../connection/open-database.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { findRecord } from '../find-record.ts';
import { jsonLine } from '../output/json-line.ts';
import { formatFacts, formatTable } from '../output/table.ts';
import { formatTime } from '../output/time.ts';
import { detailOf } from './keys.ts';

export function addShow(program: Command, { context, end }: CommandHost): void {
  withDatabase(program.command('show'))
    .description('show one key as a whole, with what people did to it')
    .argument('<key>')
    .option('--scope <scope>', 'whose key it is, if several have it')
    .option('--answer', 'also the stored answer: it may hold what is none of your business')
    .addHelpText(
      'after',
      examples({
        'onceward show 01981c3e-7a10-7c65-9d7f-2a6c1b0e4f11': 'why did this one not go through?',
        'onceward show 01981c3e-7a10-7c65-9d7f-2a6c1b0e4f11 --answer --json': 'what was answered',
      }),
    )
    .action(async (key: string, options: ShowCommand) => {
      end(
        await withOpenDatabase(options, context, (open) =>
          showKey(open, { ...options, key }, context),
        ),
      );
    });
}

interface ShowCommand extends DatabaseOptions {
  readonly scope?: string;
  readonly answer?: boolean;
}

async function showKey(
  database: OpenDatabase,
  { key, scope, answer = false, json }: ShowCommand & { key: string },
  { stdout, now }: CliContext,
): Promise<ExitCode> {
  const name = await findRecord(database, key, scope);
  const record = await database.operator.show(name, { answer });
  if (!record) throw new CliFailure(exitCode.attention, 'The record is gone by now.');
  stdout.write(json ? jsonLine(documentOf(record)) : pageOf(record, { answer, now: now() }));
  return exitCode.ok;
}

/** Bytes are no JSON: the answer goes as base64, and as text where it is one. */
function documentOf({ answer, ...record }: RecordDetails): object {
  if (!answer) return record;
  const { encoding, version, text } = describeAnswer(answer);
  const base64 = Buffer.from(answer).toString('base64');
  return { ...record, answer: { encoding, version, text, base64 } };
}

function pageOf(record: RecordDetails, { answer, now }: { answer: boolean; now: number }): string {
  const { keyTimestampMs, answerExpiresAt, leaseExpiresAt, unknownSince } = record;
  const time = (at: number | undefined) => (at === undefined ? undefined : formatTime(at));
  const facts = formatFacts({
    key: record.key,
    scope: record.scope,
    operation: record.operation,
    state: `${record.state}: ${detailOf(record, now)}`,
    attempt: String(record.attempt),
    minted: keyTimestampMs === null ? 'an opaque key has no time' : formatTime(keyTimestampMs),
    'lease runs out': time(leaseExpiresAt),
    'unknown since': time(unknownSince),
    'if its lease runs out': record.onStaleLease,
    'answer kept until':
      answerExpiresAt === Infinity ? 'as long as the key' : time(answerExpiresAt),
    'key kept until': formatTime(record.keyExpiresAt),
    stored: `${record.bodyBytes} bytes in ${record.table}`,
    answer: answer ? answerText(record) : undefined,
  });
  return `${facts}\n${historyOf(record.audit)}`;
}

function answerText({ answer }: RecordDetails): string {
  if (!answer) return 'none is stored';
  const { encoding, text } = describeAnswer(answer);
  return text ?? `${encoding}, as base64: ${Buffer.from(answer).toString('base64')}`;
}

function historyOf(audit: readonly AuditEntry[]): string {
  if (audit.length === 0) return 'nobody has settled or busted it\n';
  return formatTable(
    [{ title: 'AT' }, { title: 'WHO' }, { title: 'DID' }, { title: 'EVIDENCE' }],
    audit.map(({ at, actor, action, evidence }) => [
      formatTime(at),
      actor,
      action,
      evidence === null ? '' : JSON.stringify(evidence),
    ]),
  );
}
