import type { RedisClient } from './redis-client.ts';
import { RedisStoreError } from './redis-store-error.ts';
import { send } from './send.ts';

/** The servers that hold records: every master of a Cluster, or the one there is. */
export async function masters(client: RedisClient): Promise<readonly RedisClient[]> {
  if (!client.nodes) return [client];
  // Before it is connected a Cluster knows none: every check would pass, every sweep be done.
  if (client.nodes('master').length === 0) await send(['ping'], client);
  const known = client.nodes('master');
  if (known.length > 0) return known;
  throw new RedisStoreError('NOMASTERS', 'The Cluster client knows no masters');
}
