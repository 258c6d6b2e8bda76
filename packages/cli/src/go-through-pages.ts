import type { MaintenancePage } from '@onceward/core/store';
import type { CliContext } from './cli-context.ts';
import type { OpenDatabase } from './connection/open-database.ts';
import { startProgress } from './output/progress.ts';

export interface PagedWork<Report extends PageReport> {
  readonly title: string;
  readonly pageSize: number;
  readonly work: (page: MaintenancePage) => Promise<Report>;
  /** What has been done so far, for the line of progress. */
  readonly note: (totals: Totals<Report>) => string;
}

interface PageReport {
  readonly cursor?: string | undefined;
}

type Totals<Report> = Readonly<Record<Exclude<keyof Report, 'cursor'>, number>>;

export interface Finished<Report> {
  readonly totals: Totals<Report>;
  readonly pages: number;
  /** False when somebody pressed Ctrl-C. What was done stays done. */
  readonly isComplete: boolean;
}

/** Does maintenance page by page to the end, and shows how far it is. */
export async function goThroughPages<Report extends PageReport>(
  database: OpenDatabase,
  { title, pageSize, work, note }: PagedWork<Report>,
  { stderr, signal }: CliContext,
): Promise<Finished<Report>> {
  const total = await estimateRecords(database);
  const progress = startProgress(stderr, { title, total });
  const totals: Record<string, number> = {};
  let pages = 0;
  let cursor: string | undefined;
  try {
    do {
      const report = await work({ limit: pageSize, cursor });
      const { cursor: next, ...counts } = report as Record<string, unknown> & PageReport;
      for (const [name, count] of Object.entries(counts)) {
        totals[name] = (totals[name] ?? 0) + Number(count);
      }
      pages += 1;
      cursor = next;
      progress.update(pages * pageSize, note(totals as Totals<Report>));
    } while (cursor !== undefined && !signal.aborted);
  } finally {
    progress.end();
  }
  return { totals: totals as Totals<Report>, pages, isComplete: cursor === undefined };
}

/** As of the last time that the tables were analysed; good enough for a bar. */
async function estimateRecords({ operator }: OpenDatabase): Promise<number> {
  const { partitions, kept } = await operator.partitions();
  return [kept, ...partitions].reduce((sum, { estimatedRecords }) => sum + estimatedRecords, 0);
}
