import { type Clock, systemClock } from '@onceward/core';
import type { MaintenancePage, Store } from '@onceward/core/store';
import { emit } from '../hooks/emit.ts';
import type { EngineHooks } from '../hooks/engine-hooks.ts';
import { positiveInteger, timerMs } from '../options/check-option.ts';
import { repeat, type Schedule } from './repeat.ts';

/** Options of `createMaintenance`. */
export interface MaintenanceOptions {
  store: Store;
  /**
   * How often leases that ran out are looked for. A pass reads every record, so not too often.
   * @defaultValue `300_000` (five minutes)
   */
  sweepEveryMs?: number;
  /** How often records past their retention are deleted. @defaultValue `3_600_000` (an hour) */
  pruneEveryMs?: number;
  /** How many records one call to the store may look at. @defaultValue `1_000` */
  pageSize?: number;
  /** Gets `leases-swept`, `records-pruned` and `store-failed`. */
  hooks?: EngineHooks;
  /** For tests. @defaultValue the clock of this process */
  clock?: Clock;
}

/** Sweeps and prunes a store, by itself or when it is told to. */
export interface Maintenance extends AsyncDisposable {
  /** Frees, or marks as unknown, every lease that ran out. */
  sweep(): Promise<{ released: number; unknown: number }>;
  /** Deletes every record past its retention. */
  prune(): Promise<{ pruned: number; answersDropped: number }>;
  /** Does both from time to time, without keeping the process alive. */
  start(): void;
  /** Ends the schedule, and waits for a run that is under way. */
  stop(): Promise<void>;
}

/**
 * Keeps a store tidy. Any number of processes may do so at once; one suffices.
 *
 * Safety does not depend on it: a lease that ran out is judged when its key comes back, and an
 * old key is refused by its own time. It frees space, and shows unknown outcomes to operators
 * whose clients never came back.
 */
export function createMaintenance(options: MaintenanceOptions): Maintenance {
  const { store, hooks = {}, clock = systemClock } = options;
  const limit = positiveInteger('pageSize', options.pageSize ?? 1_000);
  const sweepEveryMs = timerMs('sweepEveryMs', options.sweepEveryMs ?? 300_000);
  const pruneEveryMs = timerMs('pruneEveryMs', options.pruneEveryMs ?? 3_600_000);
  const schedules: Schedule[] = [];

  const sweep = async () => {
    const total = { released: 0, unknown: 0 };
    for await (const page of pages((at) => store.sweep(at), limit)) {
      total.released += page.released;
      total.unknown += page.unknown;
    }
    emit({ hooks }, { kind: 'leases-swept', ...total });
    return total;
  };
  const prune = async () => {
    const total = { pruned: 0, answersDropped: 0 };
    for await (const page of pages((at) => store.prune(at), limit)) {
      total.pruned += page.pruned;
      total.answersDropped += page.answersDropped;
    }
    emit({ hooks }, { kind: 'records-pruned', ...total });
    return total;
  };
  const report = (cause: unknown) =>
    emit({ hooks }, { kind: 'store-failed', store: store.name, cause });

  const start = () => {
    if (schedules.length > 0) return;
    schedules.push(repeat(() => sweep().catch(report), sweepEveryMs, clock));
    schedules.push(repeat(() => prune().catch(report), pruneEveryMs, clock));
  };
  const stop = async () => {
    await Promise.all(schedules.splice(0).map((schedule) => schedule.stop()));
  };
  return { sweep, prune, start, stop, [Symbol.asyncDispose]: stop };
}

async function* pages<Page extends { readonly cursor?: string | undefined }>(
  take: (page: MaintenancePage) => Promise<Page>,
  limit: number,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  do {
    const page = await take({ limit, cursor });
    yield page;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
