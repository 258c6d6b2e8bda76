import type { Lease } from '../tabs/lease-tabs.ts';
import type { Database } from './database.ts';
import { result } from './request.ts';

interface LeaseRow {
  readonly holder: string;
  readonly untilAt: number;
}

/** The lease of the leader of a scope: one row, beside those of the journal. */
export function leaseRow(database: Database, scope: string): Lease {
  return {
    take: (holder, now, untilAt) =>
      database.transact('leases', 'readwrite', async (leases) => {
        const held = await result<LeaseRow | undefined>(leases.get(scope));
        // A lease that ends later than any could was taken before the clock was set back.
        const live = held && held.untilAt > now && held.untilAt <= untilAt;
        if (live && held.holder !== holder) return false;
        await result(leases.put({ holder, untilAt } satisfies LeaseRow, scope));
        return true;
      }),
    free: (holder) =>
      database.transact('leases', 'readwrite', async (leases) => {
        const held = await result<LeaseRow | undefined>(leases.get(scope));
        if (held?.holder === holder) await result(leases.delete(scope));
      }),
  };
}
