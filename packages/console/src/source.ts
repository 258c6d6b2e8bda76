import type { Store } from '@onceward/core/store';
import type { PostgresOperator } from '@onceward/postgres';
import type { Jobs } from '@onceward/postgres/outbox';
import { Refusal } from './answers/refusal.ts';

/** Where the console looks. */
export interface Source {
  readonly store: Store;
  /** Of PostgreSQL: lists, history, and the audit trail. */
  readonly operator?: PostgresOperator;
  readonly jobs?: Jobs;
}

/** For what only PostgreSQL can tell. */
export function needOperator({ operator }: Source): PostgresOperator {
  if (operator) return operator;
  throw new Refusal(404, 'unavailable');
}

export function needJobs({ jobs }: Source): Jobs {
  if (jobs) return jobs;
  throw new Refusal(404, 'unavailable');
}
