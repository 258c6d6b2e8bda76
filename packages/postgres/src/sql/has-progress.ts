import type { Lease } from '@onceward/core/store';
import { type Database, rollBack } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';

/**
 * Whether an entry is part of a record's progress, now that nobody is changing it any more.
 *
 * `for share` waits for a transaction that has appended and not ended, ten seconds at most. What it
 * waited for may have moved the record, and the snapshot that began to wait sees it nowhere: so the
 * progress is read by a statement of its own.
 */
export async function hasProgress(
  database: Database<unknown>,
  address: RecordAddress,
  { lease, entry }: { lease: Lease; entry: Uint8Array },
): Promise<boolean> {
  const { value } = await database.transaction(async (open) => {
    await open.query(`select set_config('lock_timeout', $1::text, true)`, ['10s']);
    await open.query(`select 1 from ${address.family} where id = $1::uuid for share`, [address.id]);
    const rows = await open.query<{ found: boolean }>(
      `select position($3::bytea in body) > 0 as found
         from ${address.family}
        where id = $1::uuid
          and token = $2::uuid`,
      [address.id, lease.token, entry],
    );
    return rollBack(rows[0]?.found === true);
  });
  return value;
}
