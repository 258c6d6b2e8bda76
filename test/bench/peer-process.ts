// One library in a process of its own: what it does to its process, no other one has to pay for.
import { mintKey } from '@onceward/core';
import { atOnce } from './at-once.ts';
import type { Contestant } from './interleave.ts';
import { openPeer } from './peers/entries.ts';
import { executions, type Peer } from './peers/peer.ts';

export type PeerOrder =
  | { readonly kind: 'open'; readonly name: string; readonly url: string }
  | { readonly kind: 'fresh' | 'replay'; readonly count: number }
  | { readonly kind: 'double-executions' }
  | { readonly kind: 'close' };

/** A number: microseconds, or executions. */
export type PeerReport = { readonly value: number } | { readonly error: string };

let peer: Peer;
let races: Record<'fresh' | 'replay', Contestant>;

process.on('message', (order: PeerOrder) => {
  void obey(order)
    .catch((error: unknown) => ({ error: String(error) }))
    .then((report) => {
      process.send?.(report, () => {
        if (order.kind === 'close') process.exit();
      });
    });
});

async function obey(order: PeerOrder): Promise<PeerReport> {
  switch (order.kind) {
    case 'open':
      peer = await openPeer(order.name, order.url);
      races = { fresh: atOnce(64, mintKey, (key) => peer.deliver(key)), replay: await replays() };
      return { value: 0 };
    case 'double-executions':
      return { value: await doubleExecutions() };
    case 'close':
      await peer[Symbol.asyncDispose]();
      return { value: 0 };
    default:
      return { value: await races[order.kind](order.count) };
  }
}

async function replays(): Promise<Contestant> {
  const keys = Array.from({ length: 500 }, () => mintKey());
  await Promise.all(keys.map((key) => peer.deliver(key)));
  let at = 0;
  return atOnce(
    64,
    () => keys[at++ % keys.length]!,
    (key) => peer.deliver(key),
  );
}

/** How many of 140 duplicates are executed, when each comes together with the first delivery. */
async function doubleExecutions(): Promise<number> {
  const before = executions();
  for (let burst = 0; burst < 20; burst++) {
    const key = mintKey();
    // To be refused is right, too.
    await Promise.allSettled(Array.from({ length: 8 }, () => peer.deliver(key)));
  }
  return executions() - before - 20;
}
