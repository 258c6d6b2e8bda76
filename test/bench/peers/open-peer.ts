import type { Peer, PeerEntry } from './peer.ts';

/** Opens a library, or the naive recipe on a driver, and loads no other: some slow their process down. */
export async function openPeer(name: string, url: string): Promise<Peer> {
  const load = libraries[name];
  if (load) return (await load()).open(url);
  const { floors, floorOf } = await import('./floors.ts');
  const floor = Object.entries(floors).find(([driver]) => floorOf(driver as never) === name);
  if (!floor) throw new TypeError(`Expected ${name} to be one of the libraries`);
  const [, open] = floor;
  return open(url);
}

const libraries: Readonly<Record<string, () => Promise<PeerEntry>>> = {
  onceward_redis: async () => (await import('./onceward.ts')).oncewardOn('redis'),
  onceward_postgres: async () => (await import('./onceward.ts')).oncewardOn('postgres'),
  node_idempotency: async () => (await import('./node-idempotency.ts')).nodeIdempotency,
  express_idempotency: async () => (await import('./express-idempotency.ts')).expressIdempotency,
  powertools: async () => (await import('./powertools.ts')).powertools,
  dbos: async () => (await import('./dbos.ts')).dbos,
  adcp_sdk: async () => (await import('./adcp.ts')).adcp,
};
