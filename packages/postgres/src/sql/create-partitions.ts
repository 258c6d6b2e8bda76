import type { Queryable } from '../database/database.ts';

/** Makes the partition of now and the next two, if `records` has partitions. */
export async function createPartitions(database: Queryable, schema: string): Promise<void> {
  // As text: not every driver knows what to make of `void`.
  await database.query(`select ${schema}."create_partitions"()::text`);
}
