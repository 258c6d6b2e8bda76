import { type Clock, systemClock } from '@onceward/core';
import type { Journal } from '../journal/journal.ts';
import { isLive } from '../journal/journal-record.ts';
import { systemNetwork } from '../journal/network.ts';
import { startTimer } from '../timer.ts';
import { defaultTag } from './sync-tag.ts';

/** Which service worker is to be woken, and with which word. */
export interface RegisterBackgroundSyncOptions {
  /** The same as in the service worker. @defaultValue `'onceward'` */
  tag?: string | undefined;
  /** @defaultValue that of the service worker in whose scope the page is, once it is active */
  registration?: SyncRegistration | Promise<SyncRegistration> | undefined;
  /** For tests. */
  clock?: Clock | undefined;
}

/** What of a `ServiceWorkerRegistration` is used. Only Chromium has `sync`. */
export interface SyncRegistration {
  readonly sync?: { register(tag: string): Promise<void> } | undefined;
}

/** What of a journal it takes to know what is pending. */
export type WatchedJournal = Pick<Journal, 'records' | 'subscribe'>;

/**
 * In a page: asks the browser to wake the service worker once there is a network, while something
 * is pending, so that it is delivered although the page was closed. Returns how to stop asking.
 *
 * What is delivered at once asks for nothing. Where there is no Background Sync, nothing happens.
 *
 * @example
 * ```ts
 * await navigator.serviceWorker.register('/service-worker.js');
 * registerBackgroundSync(journal);
 * ```
 */
export function registerBackgroundSync(
  journal: WatchedJournal,
  { tag = defaultTag, registration, clock = systemClock }: RegisterBackgroundSyncOptions = {},
): () => void {
  /** The ids of what the browser knows of. */
  let asked = new Set<string>();
  let cancelTimer: (() => void) | undefined;

  const ask = async () => {
    try {
      const found = registration ?? (navigator.serviceWorker.ready as Promise<SyncRegistration>);
      await (await found).sync?.register(tag);
    } catch {
      // No service workers here, or the user does not want it: pages deliver, as they always do.
    }
  };
  const live = () => journal.records().filter(isLive);
  /** Once for each record: asked with every failure, the browser would never let the worker rest. */
  const look = (isLate = false) => {
    const pending = live();
    const known = asked;
    const isStuck = isLate || !systemNetwork.online();
    const stuck = pending.filter(
      ({ id, state }) => isStuck || state === 'waiting' || known.has(id),
    );
    asked = new Set(stuck.map(({ id }) => id));
    if (stuck.some(({ id }) => !known.has(id))) void ask();
    if (stuck.length < pending.length) cancelTimer ??= startTimer(clock, promptMs, lookLate);
  };
  const lookLate = () => {
    cancelTimer = undefined;
    look(true);
  };
  /** What is on its way may not arrive any more. A browser in a hurry may not hear this, either. */
  const leave = ({ type }: Event) => {
    const gone = type === 'pagehide' || document.visibilityState === 'hidden';
    if (gone && live().length > 0) void ask();
  };

  const stops = [
    journal.subscribe(() => look()),
    listen('offline', () => look()),
    listen('pagehide', leave),
    listen('visibilitychange', leave),
    () => cancelTimer?.(),
  ];
  look();
  return () => stops.forEach((stop) => stop());
}

function listen(name: string, listener: (event: Event) => void): () => void {
  globalThis.addEventListener?.(name, listener);
  return () => globalThis.removeEventListener?.(name, listener);
}

/** What takes longer might not be over when the page is; what does not is not worth a wake-up. */
const promptMs = 500;
