import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { clockMs, toMs } from '../sql/clock.ts';
import { stage, type LookupListing } from './list-lookups.ts';

/** How many records are unknown, by who is to find out. */
export interface LookupCount {
  readonly state: LookupListing['state'];
  readonly count: number;
  /** For how long the oldest of them has been unknown. */
  readonly oldestMs: number;
}

/** Counts unknown records. Reads the look-ups alone, of which there are few. */
export async function countLookups(database: Queryable, schema: string): Promise<LookupCount[]> {
  const rows = await database.query(
    `select ${answer({
      state: 'stage',
      count: 'count(*)',
      oldestMs: `greatest(0, ${clockMs} - (${toMs('min(unknown_since)')}))`,
    })}
       from (select unknown_since, ${stage} as stage from ${schema}."lookups") as staged
      group by stage
      order by stage`,
  );
  return readAnswers<LookupCount>(rows);
}
