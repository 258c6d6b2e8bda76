import { readFileSync } from 'node:fs';
import { mintKey } from '@onceward/core';
import { atOnce } from '../at-once.ts';
import { allFindings, type Findings, ratesOf } from '../findings.ts';
import {
  type Contestant,
  interleave,
  type InterleaveOptions,
  type Samples,
} from '../interleave.ts';
import { openServer } from '../open-server.ts';
import { spreadOf } from '../spread.ts';
import { timesAsMany } from '../times-as-many.ts';
import { adcp } from './adcp.ts';
import { dbos } from './dbos.ts';
import { expressIdempotency } from './express-idempotency.ts';
import { floors } from './floors.ts';
import { nodeIdempotency } from './node-idempotency.ts';
import { oncewardOn } from './onceward.ts';
import { executions, type Peer, type PeerEntry } from './peer.ts';
import { powertools } from './powertools.ts';
import { besideSpeed, readSafety } from './safety.ts';

const peers: readonly PeerEntry[] = [
  ...[nodeIdempotency, expressIdempotency, powertools],
  ...[dbos, adcp],
];

/** Every library for the same task that npm installs, beside this kit on the same server. */
export async function measurePeers(options: InterleaveOptions): Promise<Findings> {
  const compared = readSafety(readFileSync('docs/compared.md', 'utf8'));
  const entries = [oncewardOn('redis'), oncewardOn('postgres'), ...peers];
  const findings = allFindings([
    await measureOn('redis', options),
    await measureOn('postgres', options),
    { figures: {}, missing },
  ]);
  return { ...findings, beside: besideSpeed(entries, findings.figures, compared) };
}

/** Why there is no figure. */
const missing = {
  'peers.node_idempotency_postgres': 'its adapter for PostgreSQL is not in the registry',
};

/** All that use one kind of server, in turns on one of them. */
async function measureOn(store: PeerEntry['store'], options: InterleaveOptions): Promise<Findings> {
  await using server = await openServer(store);
  const kit = oncewardOn(store);
  const entries = [kit, ...peers.filter((peer) => peer.store === store)];
  const opened = new Map<string, Peer>();
  try {
    for (const { name, open } of entries) opened.set(name, await open(server.url));
    for (const { driver } of entries) {
      const name = floorOf(driver);
      if (!opened.has(name)) opened.set(name, await floors[driver](server.url));
    }
    const races = await race(opened, options);
    const findings: Findings[] = [{ figures: {}, against: [server.version] }];
    for (const entry of entries) {
      findings.push(...races.map((one) => findingsOf(entry, kit, one)));
      const twice = await doubleExecutions(opened.get(entry.name)!);
      findings.push({ figures: { [`peers.${entry.name}.double_executions`]: spreadOf([twice]) } });
    }
    return allFindings(findings);
  } finally {
    for (const peer of opened.values()) await peer[Symbol.asyncDispose]();
  }
}

function floorOf(driver: PeerEntry['driver']): string {
  return `floor ${driver}`;
}

interface Race {
  readonly kind: 'fresh' | 'replay';
  readonly samples: Samples<string>;
}

async function race(
  opened: ReadonlyMap<string, Peer>,
  options: InterleaveOptions,
): Promise<readonly Race[]> {
  const fresh: Record<string, Contestant> = {};
  const replay: Record<string, Contestant> = {};
  for (const [name, peer] of opened) {
    fresh[name] = atOnce(64, mintKey, (key) => peer.deliver(key));
    replay[name] = await replays(peer);
  }
  return [
    { kind: 'fresh', samples: await interleave(fresh, options) },
    { kind: 'replay', samples: await interleave(replay, options) },
  ];
}

/** The kit beside a library, and each beside the naive recipe on its own driver. */
function findingsOf(entry: PeerEntry, kit: PeerEntry, { kind, samples }: Race): Findings {
  const { name, driver } = entry;
  const [own, ours, floor] = [samples[name]!, samples[kit.name]!, samples[floorOf(driver)]!];
  const versusFloor = { [`peers.${name}.${kind}.vs_own_driver`]: timesAsMany(own, floor) };
  if (name === kit.name) return { figures: versusFloor };
  return {
    figures: { [`peers.${name}.${kind}.64`]: timesAsMany(ours, own), ...versusFloor },
    rates: ratesOf(`peers.${name}.${kind}`, 64, { kit: ours, peer: own }),
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

async function replays(peer: Peer): Promise<Contestant> {
  const keys = Array.from({ length: 500 }, () => mintKey());
  for (const key of keys) await peer.deliver(key);
  let at = 0;
  return atOnce(
    64,
    () => keys[at++ % keys.length]!,
    (key) => peer.deliver(key),
  );
}
