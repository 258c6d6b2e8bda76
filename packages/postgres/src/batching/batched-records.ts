import type { Queryable, Statement } from '../database/database.ts';
import { BatchLane, type BatchLaneOptions } from './batch-lane.ts';

/** A {@link Queryable} whose statements share commits with those of other callers. */
export interface BatchedQueryable {
  /** Statements about single records, whose first value is the record's id. */
  for(scope: string): Queryable;
}

/**
 * A lane for each kind of statement. Kept apart, because rows that are inserted and rows that are
 * updated by one transaction are locked in two orders, and batches of two servers met in a circle.
 */
export function batchedRecords(options: BatchLaneOptions): BatchedQueryable {
  const lanes = {
    insert: new BatchLane(options),
    update: new BatchLane(options),
    select: new BatchLane(options),
  };
  return {
    for: (scope) => ({
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        const statement: Statement = { text, values };
        return (await lanes[kindOf(text)].send(scope, statement)) as Row[];
      },
    }),
  };
}

function kindOf(text: string): 'insert' | 'update' | 'select' {
  const kind = text.slice(0, 6);
  if (kind === 'insert' || kind === 'update' || kind === 'select') return kind;
  throw new Error('Only statements about one record can share a batch');
}
