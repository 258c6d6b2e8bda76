import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import type { ResolvedPartitions } from './partition-options.ts';

/** Divides tables that were just made, or those that are there if somebody asks for it. */
export async function layOut(
  transaction: Queryable,
  schema: string,
  { partitions, isNew, isAsked }: LayingOut,
): Promise<void> {
  if (isNew) {
    for (const statement of layOutSql(schema, partitions)) await transaction.query(statement);
    return;
  }

  const layout = answer({
    width_ms: 'width_ms',
    horizon_ms: 'horizon_ms',
    may_create: `has_function_privilege('${schema}."create_partitions"()', 'execute')`,
  });
  const rows = await transaction.query(`select ${layout} from ${schema}."layout"`);
  const [found] = readAnswers<FoundLayout>(rows);
  if (isAsked && found?.width_ms && !partitions) {
    throw new Error(
      `The records of the schema ${schema} have partitions, and cannot be put into one table again: ` +
        'leave `partitions` out',
    );
  }
  const isOther =
    partitions &&
    (partitions.widthMs !== found?.width_ms || partitions.horizonMs !== found.horizon_ms);
  if (isAsked && isOther) {
    for (const statement of layOutSql(schema, partitions)) await transaction.query(statement);
  } else if (found?.may_create) {
    await transaction.query(createPartitionsSql(schema));
  }
}

export interface LayingOut {
  readonly partitions: ResolvedPartitions | false;
  /** Whether the tables were made just now. */
  readonly isNew: boolean;
  /** Whether the layout is the caller's wish, and no default. */
  readonly isAsked: boolean;
}

/** The statements that divide a plain table, and make its first partitions. */
export function layOutSql(schema: string, partitions: ResolvedPartitions | false): string[] {
  if (!partitions) return [];
  const { widthMs, horizonMs } = partitions;
  return [
    `select ${schema}."partition_records"(${widthMs}, ${horizonMs})::text`,
    createPartitionsSql(schema),
  ];
}

/** As text: not every driver knows what to make of `void`. */
function createPartitionsSql(schema: string): string {
  return `select ${schema}."create_partitions"()::text`;
}

interface FoundLayout {
  readonly width_ms: number | null;
  readonly horizon_ms: number;
  readonly may_create: boolean;
}
