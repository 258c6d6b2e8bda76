import type { Lease, MaintenancePage, StepResult, Store } from '@onceward/core/store';
import type { ServerTools } from './server-tools.ts';
import type { Transition } from './transitions.ts';

export interface WatchOptions {
  /** Whether three of four attempts never have their leases renewed. @defaultValue `false` */
  readonly skipsRenewals?: boolean;
}

export interface Watching extends WatchOptions, Pick<ServerTools, 'at' | 'count'> {
  readonly fault: (name: string) => void;
}

/** A store with failpoints and counts where the engine has none. */
export function watchedStore<Watched extends Store>(store: Watched, watching: Watching): Watched {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      const before = pointsBefore[name as string];
      const transition = transitionsAfter[name as string];
      if (!before && !transition) return method;
      return async (...args: unknown[]) => {
        if (before?.(args[0], watching) === 'does-not-arrive') return new Promise(() => {});
        const answer = await method(...args);
        if (transition && isMade(answer)) watching.count(transition);
        return answer;
      };
    },
  });
}

/** What happens before it is asked for something. */
type Before = (first: unknown, watching: Watching) => 'does-not-arrive' | void;

const pointsBefore: Partial<Record<string, Before>> = {
  // Some of its pages are swept, and some are not.
  sweep: (page, { at }) => void ((page as MaintenancePage).cursor && at('sweeper-mid-batch')),
  prune: (_, { at }) => at('before-prune'),
  renew(lease, { skipsRenewals, fault }) {
    if (!skipsRenewals || (lease as Lease).token >= 'c') return;
    fault('server: a lease is not renewed');
    return 'does-not-arrive';
  },
};

const transitionsAfter: Partial<Record<string, Transition>> = {
  renew: 'renewed',
  saveProgress: 'step-saved',
  transactStep: 'step-saved',
};

/** Some methods answer with a word, `transactStep` with how its transaction ended. */
function isMade(answer: unknown): boolean {
  const kind = typeof answer === 'string' ? answer : (answer as StepResult).kind;
  return kind === 'renewed' || kind === 'saved';
}
