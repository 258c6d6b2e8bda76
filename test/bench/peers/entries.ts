import { adcp } from './adcp.ts';
import { dbos } from './dbos.ts';
import { expressIdempotency } from './express-idempotency.ts';
import { type Driver, floorOf, floors } from './floors.ts';
import { nodeIdempotency } from './node-idempotency.ts';
import { oncewardOn } from './onceward.ts';
import type { Peer, PeerEntry } from './peer.ts';
import { powertools } from './powertools.ts';

/** This kit on every driver that others use, too: a library cannot be faster than its driver. */
export const kits = {
  ioredis: oncewardOn('ioredis'),
  '@redis/client': oncewardOn('@redis/client'),
  pg: oncewardOn('pg'),
} satisfies Record<Driver, PeerEntry>;

/** Every library for the same task that npm installs, and this kit before them. */
export const entries: readonly PeerEntry[] = [
  ...[kits.ioredis, kits.pg],
  ...[nodeIdempotency, expressIdempotency, powertools],
  ...[dbos, adcp],
];

/** All that take part, this kit once for each driver. */
export const allEntries: readonly PeerEntry[] = [
  ...new Set<PeerEntry>([...Object.values(kits), ...entries]),
];

/** Opens one of them, or the naive recipe on a driver. */
export function openPeer(name: string, url: string): Promise<Peer> {
  for (const [driver, open] of Object.entries(floors)) {
    if (name === floorOf(driver as Driver)) return open(url);
  }
  const entry = allEntries.find((each) => each.name === name);
  if (!entry) throw new TypeError(`Expected ${name} to be one of the libraries`);
  return entry.open(url);
}
