import { createTRPCClient, httpLink } from '@trpc/client';
import { useSyncExternalStore } from 'react';
import superjson from 'superjson';
import type { AppRouter } from '../../src/trpc/app-router.ts';
import type { View } from '../../src/watch/watch.ts';
import { onShopState, shopState } from '../shop/shop-state.ts';

/** What the server knows, seen past the network that the person cuts. */
export interface ServerView extends View {
  readonly server: 'running' | 'down';
}

const activeMs = 350;
const idleMs = 4_000;

let view: ServerView = { server: 'running', ledger: [], records: [], sightings: [] };
const listeners = new Set<() => void>();

const observer = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: '/trpc',
      transformer: superjson,
      headers: () => ({ authorization: `Bearer ${shopState().user}` }),
    }),
  ],
});

export function useServerView(): ServerView {
  return useSyncExternalStore(subscribe, () => view);
}

/** Looks often while something happens, and seldom otherwise. */
export function watchServer(): void {
  let changedAt = Date.now();
  let wake = () => {};
  onShopState(() => {
    changedAt = Date.now();
    wake();
  });
  const rest = async () => {
    const active = Date.now() - changedAt < idleMs || view.server === 'down';
    const woken = new Promise<void>((resolve) => (wake = resolve));
    if (!active) await Promise.race([woken, pause(idleMs)]);
    await pause(activeMs);
  };
  void (async () => {
    for (;;) {
      if (!document.hidden) show(await look());
      await rest();
    }
  })();
}

async function look(): Promise<ServerView> {
  const orders = shopState().orders.slice(-6);
  const keys = orders.filter(({ guarded }) => guarded).map(({ id }) => id);
  const sightings = orders.flatMap(({ attempts }) => attempts.slice(-16).map(({ id }) => id));
  try {
    return { server: 'running', ...(await observer.watch.query({ keys, sightings })) };
  } catch {
    return { ...view, server: 'down' };
  }
}

function show(next: ServerView): void {
  if (JSON.stringify(next) === JSON.stringify(view)) return;
  view = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
