import { allFindings, type Findings } from '../findings.ts';
import type { InterleaveOptions } from '../interleave.ts';
import { postgresVersion } from '../open-server.ts';
import { measureAtomic } from './atomic.ts';
import { countBytes } from './bytes.ts';
import { measureDuplicates } from './duplicates.ts';
import { measureFresh } from './fresh.ts';
import { openMeasuredServer } from './measured-server.ts';
import { countRoundTrips } from './round-trips.ts';

/** What the store in PostgreSQL does per second, as a multiple of what others do in the same run. */
export async function measurePostgres(options: InterleaveOptions): Promise<Findings> {
  await using server = await openMeasuredServer();
  return allFindings([
    await measureFresh(server, options),
    await measureDuplicates(server, options),
    await measureAtomic(server, options),
    await countBytes(server),
    await countRoundTrips(server),
    { figures: {}, against: [await postgresVersion(server.url)] },
  ]);
}
