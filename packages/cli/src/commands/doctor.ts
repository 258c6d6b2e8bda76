import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { withOpenDatabase } from '../connection/open-database.ts';
import { parseCount } from '../count.ts';
import { describeUrl } from '../connection/describe-url.ts';
import type { DoctorOptions } from '../doctor/doctor-options.ts';
import { type Examined, examinePostgres, examineRedis } from '../doctor/examine.ts';
import { documentOf, pageOf } from '../doctor/report.ts';
import { withOpenRedis } from '../doctor/open-redis.ts';
import { timeOption } from '../duration.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { jsonLine } from '../output/json-line.ts';

export function addDoctor(program: Command, { context, end }: CommandHost): void {
  withDatabase(program.command('doctor'))
    .description('look for what is wrong, say why it matters and what to do; changes nothing')
    .option(
      '--redis-url <url>',
      'also examine this Redis; without --url and $DATABASE_URL, only it',
    )
    .option('--role <name>', 'role of the application (default: the one that connects)')
    .option('--pool <count>', 'connections in the pool of each instance', parseCount)
    .option('--instances <count>', 'how many instances there are', parseCount)
    .addOption(timeOption('--lease <time>', 'leaseMs of the application', '30s'))
    .addOption(timeOption('--answer-retention <time>', 'its answerRetentionMs', '24h'))
    .addOption(timeOption('--max-clock-skew <time>', 'its maxClockSkewMs', '5m'))
    .addOption(timeOption('--patience <time>', 'how long anything may wait unnoticed', '15m'))
    .addHelpText(
      'after',
      examples({
        'onceward doctor': 'a first look',
        'onceward doctor --role app --pool 10 --instances 8': 'as the application sees it',
        'onceward doctor --redis-url redis://cache:6379 --json':
          'for a monitor: 1 if all is not well',
      }),
    )
    .action(async (options: DoctorCommand) => end(await runDoctor(options, context)));
}

interface DoctorCommand extends DatabaseOptions {
  readonly redisUrl?: string;
  readonly role?: string;
  readonly pool?: number;
  readonly instances?: number;
  readonly lease: number;
  readonly answerRetention: number;
  readonly maxClockSkew: number;
  readonly patience: number;
}

async function runDoctor(command: DoctorCommand, context: CliContext): Promise<ExitCode> {
  const { url, redisUrl, json } = command;
  const examined: Examined[] = [];
  const addresses: string[] = [];
  if (redisUrl === undefined || url !== undefined || context.env['DATABASE_URL']) {
    await withOpenDatabase(command, context, async (database) => {
      addresses.push(`${database.address}, schema ${database.schema}`);
      const { now } = context;
      examined.push(...(await examinePostgres({ database, options: optionsOf(command), now })));
    });
  }
  if (redisUrl !== undefined) {
    addresses.push(describeUrl(redisUrl));
    examined.push(...(await withOpenRedis(redisUrl, examineRedis)));
  }
  const report = { addresses, examined };
  context.stdout.write(json ? jsonLine(documentOf(report)) : pageOf(report));
  const isWrong = documentOf(report).findings.some(({ severity }) => severity !== 'advice');
  return isWrong ? exitCode.attention : exitCode.ok;
}

function optionsOf(command: DoctorCommand): DoctorOptions {
  return {
    role: command.role,
    pool: command.pool,
    instances: command.instances,
    leaseMs: command.lease,
    answerRetentionMs: command.answerRetention,
    maxClockSkewMs: command.maxClockSkew,
    patienceMs: command.patience,
  };
}
