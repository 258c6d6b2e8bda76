import type { Clock } from '@onceward/core';
import type { Tabs } from '@onceward/core/journal';
import { openBus } from './bus.ts';
import { campaignByLease, type Lease } from './lease-tabs.ts';
import { campaignByLock } from './web-locks-tabs.ts';

export interface OpenTabsOptions {
  readonly clock: Clock;
  /** For browsers without Web Locks. */
  readonly lease: Lease;
}

/**
 * The tabs of one origin that share this name; `undefined` where there can be none, or none can be
 * heard.
 */
export function openTabs(name: string, { clock, lease }: OpenTabsOptions): Tabs | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined;
  const bus = openBus(name);
  return {
    campaign(events) {
      // Its type says that every browser has it; pages that were not loaded over HTTPS have not.
      const locks = navigator.locks as LockManager | undefined;
      return locks
        ? campaignByLock({ locks, name, bus, clock }, events)
        : campaignByLease({ lease, clock }, events);
    },
    announce: (change) => bus.send(change),
    listen: (listener) =>
      bus.listen((message) => {
        if (typeof message === 'object') listener(message);
      }),
  };
}
