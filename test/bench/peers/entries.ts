import { adcp } from './adcp.ts';
import { dbos } from './dbos.ts';
import { expressIdempotency } from './express-idempotency.ts';
import { nodeIdempotency } from './node-idempotency.ts';
import { oncewardOn } from './onceward.ts';
import type { PeerEntry } from './peer.ts';
import { powertools } from './powertools.ts';

/** Every library for the same task that npm installs, and this kit before them. */
export const entries: readonly PeerEntry[] = [
  ...[oncewardOn('redis'), oncewardOn('postgres')],
  ...[nodeIdempotency, expressIdempotency, powertools],
  ...[dbos, adcp],
];
