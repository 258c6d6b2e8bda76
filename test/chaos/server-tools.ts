import { type Clock, systemClock } from '@onceward/core';
import type { Store } from '@onceward/core/store';
import type { EngineHooks, Probe } from '@onceward/server';
import type { Death, Failpoint } from './failpoints.ts';
import { type Charge } from './provider.ts';
import { post } from './post.ts';
import { type Transition, transitionOf } from './transitions.ts';

/** How often a server came to each failpoint and made each transition. */
export type Counts = Partial<Record<Failpoint | Transition, number>>;

/** What the routes of a chaos server share. */
export interface ServerTools {
  readonly probe: Probe;
  readonly hooks: EngineHooks;
  /** May be hours off, and changes while the server runs. */
  readonly clock: Clock;
  /** Comes to a failpoint. */
  at(point: Failpoint): void;
  count(transition: Transition): void;
  readonly maintains: boolean;
  /** Asks the provider to charge, or how often it has. */
  provider(path: '/charge' | '/charges', charge: Charge, signal?: AbortSignal): Promise<number>;
  /** The store, with failpoints and counts where the engine has none. */
  watched<Watched extends Store>(store: Watched): Watched;
}

export interface ServerState {
  clockOffsetMs: number;
  counts: Counts;
}

export function serverTools(
  state: ServerState,
  {
    providerPort,
    dieAt,
    maintains,
  }: { providerPort: number; dieAt?: Death | undefined; maintains: boolean },
): ServerTools {
  const add = (name: Failpoint | Transition, times: number) => {
    if (times > 0) state.counts[name] = (state.counts[name] ?? 0) + times;
  };
  let left = dieAt?.time ?? 0;
  const at = (point: Failpoint) => {
    add(point, 1);
    if (point === dieAt?.point && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
  const count = (transition: Transition) => add(transition, 1);
  return {
    ...{ at, count, maintains },
    probe: at,
    hooks: {
      onEvent(event) {
        for (const [name, times] of Object.entries(transitionOf(event))) {
          add(name as Transition, times);
        }
      },
    },
    clock: {
      now: () => Date.now() + state.clockOffsetMs,
      setTimer: systemClock.setTimer,
    },
    async provider(path, charge, signal) {
      const body = JSON.stringify(charge);
      const asked = { port: providerPort, path, body, ...(signal && { signal }) };
      const { status, text } = await post(asked);
      if (status !== 200) throw new Error('The provider did not answer');
      return (JSON.parse(text) as { charges: number }).charges;
    },
    watched: (store) => watch(store, at, count),
  };
}

function watch<Watched extends Store>(
  store: Watched,
  at: ServerTools['at'],
  count: ServerTools['count'],
): Watched {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      const point = pointsBefore[name as string];
      const transition = transitionsAfter[name as string];
      if (!point && !transition) return method;
      return async (...args: unknown[]) => {
        if (point) at(point);
        const answer = await method(...args);
        if (transition && answer !== 'lease-lost') count(transition);
        return answer;
      };
    },
  });
}

const pointsBefore: Partial<Record<string, Failpoint>> = {
  sweep: 'before-sweep',
  prune: 'before-prune',
  settle: 'before-settle',
};

const transitionsAfter: Partial<Record<string, Transition>> = {
  renew: 'renewed',
  saveProgress: 'step-saved',
  transactStep: 'step-saved',
};
