import type { Neglected, PartitionList } from '@onceward/postgres';
import type { JobCount } from '@onceward/postgres/outbox';
import type { StoreStats } from '@onceward/core/store';
import type { Command } from 'commander';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { withOpenDatabase } from '../connection/open-database.ts';
import { formatDuration } from '../duration.ts';
import { examples } from '../examples.ts';
import { exitCode } from '../exit-code.ts';
import { jsonLine } from '../output/json-line.ts';
import { formatFacts, formatTable } from '../output/table.ts';

export function addStats(program: Command, { context, end }: CommandHost): void {
  withDatabase(program.command('stats'))
    .description('count records, jobs and partitions; reads every record once or twice')
    .addHelpText(
      'after',
      examples({
        'onceward stats': 'how much is there, and is anything stuck?',
        'onceward stats --json | jq .records.unknown': 'one number for a monitor',
      }),
    )
    .action(async (options: DatabaseOptions) => {
      const counted = await withOpenDatabase(options, context, async (open) => ({
        schema: open.schema,
        ...(await open.store.stats()),
        neglected: await open.operator.neglected(),
        partitions: await open.operator.partitions(),
        jobs: await open.jobs.counts(),
      }));
      context.stdout.write(options.json ? jsonLine(counted) : pageOf(counted));
      end(exitCode.ok);
    });
}

interface Counted extends StoreStats {
  readonly neglected: Neglected;
  readonly partitions: PartitionList;
  readonly jobs: readonly JobCount[];
}

function pageOf({ records, neglected, partitions, jobs }: Counted): string {
  const { staleLeases, unknown } = neglected;
  const oldest = ({ count, oldestMs }: { count: number; oldestMs: number }) =>
    count === 0 ? '0' : `${count}, the oldest for ${formatDuration(oldestMs)}`;
  const facts = formatFacts({
    'in progress': String(records['in-progress']),
    'of these, lease ran out': oldest(staleLeases),
    released: String(records.released),
    completed: String(records.completed),
    unknown: oldest(unknown),
    partitions: partitionText(partitions),
  });
  return jobs.length === 0 ? `${facts}\nno jobs\n` : `${facts}\n${jobTable(jobs)}`;
}

function partitionText({ widthMs, partitions, kept }: PartitionList): string {
  const bytes = [kept, ...partitions].reduce((sum, each) => sum + each.bytes, 0);
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  if (widthMs === null) return `none: one plain table of ${size}`;
  return `${partitions.length} of ${formatDuration(widthMs)} each, ${size} in all`;
}

function jobTable(jobs: readonly JobCount[]): string {
  return formatTable(
    [
      { title: 'TASK' },
      { title: 'STATE' },
      { title: 'JOBS', align: 'right' },
      { title: 'OLDEST', align: 'right' },
    ],
    jobs.map((each) => [each.task, each.state, String(each.jobs), formatDuration(each.oldestMs)]),
  );
}
