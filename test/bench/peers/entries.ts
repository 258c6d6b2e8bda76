import { adcp } from './adcp.ts';
import { dbos } from './dbos.ts';
import { expressIdempotency } from './express-idempotency.ts';
import { type Driver, floorOf, floors } from './floors.ts';
import { nodeIdempotency } from './node-idempotency.ts';
import { oncewardOn } from './onceward.ts';
import type { Peer, PeerEntry } from './peer.ts';
import { powertools } from './powertools.ts';

/** Every library for the same task that npm installs, and this kit before them. */
export const entries: readonly PeerEntry[] = [
  ...[oncewardOn('redis'), oncewardOn('postgres')],
  ...[nodeIdempotency, expressIdempotency, powertools],
  ...[dbos, adcp],
];

/** Opens one of them, or the naive recipe on a driver. */
export function openPeer(name: string, url: string): Promise<Peer> {
  for (const [driver, open] of Object.entries(floors)) {
    if (name === floorOf(driver as Driver)) return open(url);
  }
  const entry = entries.find((each) => each.name === name);
  if (!entry) throw new TypeError(`Expected ${name} to be one of the libraries`);
  return entry.open(url);
}
