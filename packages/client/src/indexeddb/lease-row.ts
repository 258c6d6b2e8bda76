import type { Lease } from '../tabs/lease-tabs.ts';
import type { Database } from './database.ts';
import { result } from './request.ts';

interface LeaseRow {
  readonly holder: string;
  readonly untilAt: number;
}

const key = 'leader';

/** The lease of the leader: one row, beside those of the journal. */
export function leaseRow(database: Database): Lease {
  return {
    take: (holder, now, untilAt) =>
      database.transact('leases', 'readwrite', async (leases) => {
        const held = await result<LeaseRow | undefined>(leases.get(key));
        // A lease that ends later than any could was taken before the clock was set back.
        const live = held && held.untilAt > now && held.untilAt <= untilAt;
        if (live && held.holder !== holder) return false;
        await result(leases.put({ holder, untilAt } satisfies LeaseRow, key));
        return true;
      }),
    free: (holder) =>
      database.transact('leases', 'readwrite', async (leases) => {
        const held = await result<LeaseRow | undefined>(leases.get(key));
        if (held?.holder === holder) await result(leases.delete(key));
      }),
  };
}
