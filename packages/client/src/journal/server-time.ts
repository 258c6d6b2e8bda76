import type { Failure } from '../failure.ts';
import { quietly } from '../quietly.ts';
import { parseHttpDate } from '../retry/http-date.ts';
import type { FreshKey } from './after-attempt.ts';
import type { ResolvedJournalOptions } from './journal-options.ts';

/**
 * The time as the server has it, as far as it has said so, also to an earlier page.
 *
 * Keys carry the time they were made at, and a server refuses those that are far ahead or too old:
 * a device whose clock is wrong makes them by the server's.
 */
export class ServerTime {
  readonly #options: ServerTimeOptions;
  readonly freshKey: FreshKey;
  #offsetMs = 0;

  constructor(options: ServerTimeOptions) {
    this.#options = options;
    const newKey = options.newKeys(() => this.now());
    this.freshKey = () => ({ key: newKey(), expiresAt: this.now() + options.keyLifetimeMs });
  }

  now(): number {
    return this.#options.clock.now() + this.#offsetMs;
  }

  /** Goes on with what an earlier page has learned. */
  async recall(): Promise<void> {
    const [row] = await this.#options.store.list(nobody);
    const offsetMs = Number(row?.body);
    // The clock may have been put right since. Then keys come from the future, which the server
    // says and nobody minds; but not from so long ago that it takes them for forgotten ones.
    if (offsetMs > -this.#options.keyLifetimeMs / 2) this.#offsetMs = offsetMs;
  }

  /** Takes the time from an answer, where it has one. */
  learn(failure: Failure): void {
    const now = this.#options.clock.now();
    const serverNow = timeIn(failure, now);
    if (serverNow === undefined) return;
    // Dates have whole seconds, and an answer takes its time: a small difference says nothing.
    const offsetMs = Math.round((serverNow - now) / minuteMs) * minuteMs;
    if (offsetMs === this.#offsetMs) return;
    this.#offsetMs = offsetMs;
    quietly(() => this.#keep());
  }

  /** In a row that is nobody's: it is about the device, whoever uses it. */
  async #keep(): Promise<void> {
    const { store } = this.#options;
    const body = `${this.#offsetMs}`;
    const { kind, row } = await store.insert({ scope: nobody, intent: 'clock', body });
    if (kind === 'joined') await store.update({ ...row, body });
  }
}

type ServerTimeOptions = Pick<
  ResolvedJournalOptions,
  'clock' | 'keyLifetimeMs' | 'newKeys' | 'store'
>;

function timeIn(failure: Failure, now: number): number | undefined {
  if (failure.kind === 'idempotency') {
    const { serverTimeMs } = failure.error.details as { serverTimeMs?: unknown };
    if (typeof serverTimeMs === 'number' && serverTimeMs > 0) return serverTimeMs;
  }
  const { date } = ('headers' in failure && failure.headers) || {};
  return parseHttpDate(date?.trim() ?? '', now);
}

const minuteMs = 60_000;

/** The scope of no user: journals refuse it. */
export const nobody = '';
