import type { PutOff, UnknownRecord } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { clock, duration, inMs } from '../sql/clock.ts';
import { state } from '../sql/state.ts';

/** Gives a look-up back, if nobody else has taken it since. */
export async function putOff(
  database: Queryable,
  address: RecordAddress,
  { taken, until }: { taken: UnknownRecord; until: PutOff },
): Promise<'put-off' | 'lease-lost'> {
  const { text, values } = change(address, until);
  const changed = await database.query(
    `${text}
        and record_id = $1::uuid
        and token = $2::uuid
  returning 1`,
    [address.id, taken.token, ...values],
  );
  return changed.length === 1 ? 'put-off' : 'lease-lost';
}

function change({ schema, family }: RecordAddress, until: PutOff): Change {
  const table = `${schema}."lookups"`;
  switch (until.kind) {
    case 'later':
      return {
        text: `update ${table}
          set due_at = ${inMs('$3')},
              token  = null
        where true`,
        values: [duration(until.delayMs)],
      };
    case 'dead':
      return {
        text: `update ${table}
          set dead_at = ${clock},
              token   = null
        where true`,
        values: [],
      };
    case 'gone':
      // Asked of the record: a look-up that vanished while it is unknown would never come back.
      return {
        text: `delete from ${table}
        where not exists (select from ${family} as held
                           where held.id = $1::uuid
                             and held.state = ${state.unknown})`,
        values: [],
      };
  }
}

interface Change {
  readonly text: string;
  readonly values: readonly unknown[];
}
