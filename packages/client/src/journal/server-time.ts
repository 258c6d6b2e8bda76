import type { Clock } from '@onceward/core';
import type { Failure } from '../failure.ts';
import { parseHttpDate } from '../retry/http-date.ts';

/**
 * The time as the server has it, as far as it has said so.
 *
 * Keys carry the time they were made at, and a server refuses those that are far ahead or too old:
 * a device whose clock is wrong makes them by the server's.
 */
export class ServerTime {
  readonly #clock: Clock;
  #offsetMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now() + this.#offsetMs;
  }

  /** Takes the time from an answer, where it has one. */
  learn(failure: Failure): void {
    const now = this.#clock.now();
    const serverNow = timeIn(failure, now);
    if (serverNow === undefined) return;
    const offsetMs = serverNow - now;
    // Dates have whole seconds, and an answer takes its time: a small difference says nothing.
    this.#offsetMs = Math.abs(offsetMs) < smallestOffsetMs ? 0 : offsetMs;
  }
}

function timeIn(failure: Failure, now: number): number | undefined {
  if (failure.kind === 'idempotency') {
    const { serverTimeMs } = failure.error.details as { serverTimeMs?: unknown };
    if (typeof serverTimeMs === 'number' && serverTimeMs > 0) return serverTimeMs;
  }
  const { date } = ('headers' in failure && failure.headers) || {};
  return parseHttpDate(date?.trim() ?? '', now);
}

const smallestOffsetMs = 30_000;
