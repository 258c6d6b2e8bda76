import type { Queryable } from '../database/database.ts';

/** Makes the partition of now and the next two, if `records` has partitions. */
export async function createPartitions(database: Queryable, schema: string): Promise<void> {
  await database.query(`select ${schema}."create_partitions"()`);
}
