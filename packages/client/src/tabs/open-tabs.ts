import type { Clock } from '@onceward/core';
import type { Tabs } from '@onceward/core/journal';
import { openBus } from './bus.ts';
import { campaignByLease, type Lease } from './lease-tabs.ts';
import { campaignByLock } from './web-locks-tabs.ts';

export interface OpenTabsOptions {
  readonly clock: Clock;
  /** That of one scope, for browsers without Web Locks. */
  readonly lease: (scope: string) => Lease;
}

/**
 * The tabs of one origin that share this name; `undefined` where there can be none, or none can be
 * heard.
 */
export function openTabs(name: string, { clock, lease }: OpenTabsOptions): Tabs | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined;
  const bus = openBus(name);
  return {
    campaign(scope, events) {
      // Its type says that every browser has it; pages that were not loaded over HTTPS have not.
      const locks = navigator.locks as LockManager | undefined;
      if (!locks) return campaignByLease({ lease: lease(scope), clock }, events);
      // A line of its own: the leader of another scope says nothing about this one.
      const election = `${name} ${scope}`;
      return campaignByLock({ locks, name: election, bus: openBus(election), clock }, events);
    },
    announce: (change) => bus.send(change),
    listen: (listener) =>
      bus.listen((message) => {
        if (typeof message === 'object') listener(message);
      }),
  };
}
