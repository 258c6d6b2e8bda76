import { mintKey } from '@onceward/core';
import { nativeRedis, startNativeRedis } from '../../../packages/redis/test/native-redis.ts';
import { startPostgres } from '../../services/postgres.ts';
import { startRedis } from '../../services/redis.ts';
import { atOnce } from '../at-once.ts';
import { allFindings, type Findings, ratesOf } from '../findings.ts';
import { interleave, type InterleaveOptions } from '../interleave.ts';
import { spreadOf } from '../spread.ts';
import { timesAsMany } from '../times-as-many.ts';
import { adcp } from './adcp.ts';
import { dbos } from './dbos.ts';
import { expressIdempotency } from './express-idempotency.ts';
import { nodeIdempotency } from './node-idempotency.ts';
import { openOnceward } from './onceward.ts';
import { executions, type Peer, type PeerEntry } from './peer.ts';
import { powertools } from './powertools.ts';

const peers: readonly PeerEntry[] = [
  ...[nodeIdempotency, expressIdempotency, powertools],
  ...[dbos, adcp],
];

/** Every library for the same task that npm installs, beside this kit on the same server. */
export async function measurePeers(options: InterleaveOptions): Promise<Findings> {
  const findings: Findings[] = [];
  for (const entry of peers) findings.push(await measurePeer(entry, options));
  return allFindings([...findings, { figures: {}, missing }]);
}

/** Why there is no figure. */
const missing = {
  'peers.node_idempotency_postgres': 'its adapter for PostgreSQL is not in the registry',
};

async function measurePeer(
  { name, store, open }: PeerEntry,
  options: InterleaveOptions,
): Promise<Findings> {
  await using server = await startServer(store);
  await using kit = await openOnceward(store, server.url);
  await using peer = await open(server.url);
  const fresh = await interleave(
    { kit: atOnce(64, mintKey, kit.deliver), peer: atOnce(64, mintKey, peer.deliver) },
    options,
  );
  const replay = await interleave({ kit: await replays(kit), peer: await replays(peer) }, options);
  return {
    figures: {
      [`peers.${name}.fresh.64`]: timesAsMany(fresh.kit, fresh.peer),
      [`peers.${name}.replay.64`]: timesAsMany(replay.kit, replay.peer),
      [`peers.${name}.double_executions`]: spreadOf([await doubleExecutions(peer)]),
      [`peers.onceward_${store}.double_executions`]: spreadOf([await doubleExecutions(kit)]),
    },
    rates: [
      ...ratesOf(`peers.${name}.fresh`, 64, fresh),
      ...ratesOf(`peers.${name}.replay`, 64, replay),
    ],
  };
}

/** How many of 140 duplicates are executed, when each comes together with the first delivery. */
async function doubleExecutions(peer: Peer): Promise<number> {
  const before = executions();
  for (let burst = 0; burst < 20; burst++) {
    const key = mintKey();
    // To be refused is right, too.
    await Promise.allSettled(Array.from({ length: 8 }, () => peer.deliver(key)));
  }
  return executions() - before - 20;
}

function startServer(store: PeerEntry['store']) {
  if (store === 'postgres') return startPostgres(undefined, { settings: ['fsync=on'] });
  return nativeRedis ? startNativeRedis(['--appendonly', 'yes']) : startRedis();
}

async function replays(peer: Peer) {
  const keys = Array.from({ length: 500 }, () => mintKey());
  for (const key of keys) await peer.deliver(key);
  let at = 0;
  return atOnce(
    64,
    () => keys[at++ % keys.length]!,
    (key) => peer.deliver(key),
  );
}
