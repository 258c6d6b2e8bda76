import { type Clock, systemClock } from '@onceward/core';
import type { Store } from '@onceward/core/store';
import type { EngineHooks, Probe } from '@onceward/server';
import type { DevicePoint } from './device-points.ts';
import type { Death, ServerPoint } from './failpoints.ts';
import { type Charge } from './provider.ts';
import { post } from './post.ts';
import type { SentPoint } from './statements.ts';
import { type Transition, transitionOf } from './transitions.ts';
import { lastWords, midStatementFaults } from './watch-records.ts';
import { type WatchOptions, watchedStore } from './watched-store.ts';

/** How often somebody came to each point where something may break, and each transition was made. */
export type Counts = Partial<Record<Point | Transition, number>>;

type Point = ServerPoint | SentPoint | DevicePoint;

/** What the routes of a chaos server share. */
export interface ServerTools {
  readonly probe: Probe;
  readonly hooks: EngineHooks;
  /** May be hours off, and changes while the server runs. */
  readonly clock: Clock;
  /** Comes to a failpoint. */
  at(point: ServerPoint): void;
  /** A notice of the database: it may be the last words of a connection. */
  heard(notice: string): void;
  count(transition: Transition): void;
  readonly maintains: boolean;
  /** Asks the provider to charge, or how often it has. */
  provider(path: '/charge' | '/charges', charge: Charge, signal?: AbortSignal): Promise<number>;
  /** The store, with failpoints and counts where the engine has none. */
  watched<Watched extends Store>(store: Watched, options?: WatchOptions): Watched;
}

export interface ServerState {
  clockOffsetMs: number;
  counts: Counts;
  faults: Record<string, number>;
}

export function serverTools(
  state: ServerState,
  {
    providerPort,
    dieAt,
    maintains,
  }: { providerPort: number; dieAt?: Death | undefined; maintains: boolean },
): ServerTools {
  const add = (name: Point | Transition, times: number) => {
    if (times > 0) state.counts[name] = (state.counts[name] ?? 0) + times;
  };
  let left = dieAt?.time ?? 0;
  const at = (point: ServerPoint) => {
    add(point, 1);
    if (point === dieAt?.point && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
  const count = (transition: Transition) => add(transition, 1);
  const fault = (name: string) => {
    state.faults[name] = (state.faults[name] ?? 0) + 1;
  };
  return {
    ...{ at, count, maintains },
    probe: at,
    heard(notice) {
      if (!notice.startsWith(lastWords)) return;
      fault(midStatementFaults[notice.slice(lastWords.length) as keyof typeof midStatementFaults]);
    },
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
    watched: (store, options) => watchedStore(store, { at, count, fault, ...options }),
  };
}
