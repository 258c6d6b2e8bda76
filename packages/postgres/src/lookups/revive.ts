import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { clock } from '../sql/clock.ts';

/** Makes a dead look-up due, as if nobody had ever looked. */
export async function revive(
  database: Queryable,
  { schema, id }: RecordAddress,
): Promise<'revived' | 'not-dead'> {
  const revived = await database.query(
    `update ${schema}."lookups"
        set looks   = 0,
            due_at  = ${clock},
            dead_at = null
      where record_id = $1::uuid
        and dead_at is not null
  returning 1`,
    [id],
  );
  return revived.length === 1 ? 'revived' : 'not-dead';
}
