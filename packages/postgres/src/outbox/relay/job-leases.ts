import { renewJobs } from '../sql/renew-jobs.ts';
import { emit } from './relay-event.ts';
import type { ResolvedRelay } from './relay-options.ts';
import type { RunningJob } from './running-job.ts';

/**
 * Renews the leases of all jobs that run, with one statement, and stops those that were lost.
 *
 * While the database cannot be reached, a lease is trusted until it would have run out by our own
 * count, and not a moment longer: somebody else may have the job by then.
 */
export class JobLeases {
  readonly #relay: ResolvedRelay;
  readonly #held = new Set<RunningJob>();
  #cancelRenewal = () => {};
  #cancelWatch = () => {};

  constructor(relay: ResolvedRelay) {
    this.#relay = relay;
  }

  add(running: RunningJob): void {
    this.#held.add(running);
    if (this.#held.size === 1) this.#renewIn(this.#relay.leaseMs / 3);
  }

  remove(running: RunningJob): void {
    this.#held.delete(running);
    if (this.#held.size > 0) return;
    this.#cancelRenewal();
    this.#cancelWatch();
  }

  #renewIn(ms: number): void {
    this.#cancelRenewal();
    this.#cancelRenewal = this.#relay.clock.setTimer(() => void this.#renew(), ms);
  }

  async #renew(): Promise<void> {
    const { database, schema, leaseMs, clock } = this.#relay;
    // After a suspension, say, it is too late to ask.
    this.#loseUntrusted();
    if (this.#held.size === 0) return;
    const jobs = [...this.#held];
    const askedAt = clock.now();
    this.#watch();
    let answered = true;
    try {
      const leases = jobs.map(({ job }) => job);
      const renewals = await renewJobs(database, schema, { leases, leaseMs });
      for (const running of jobs) {
        const renewal = renewals.get(running.job.id);
        if (renewal === 'renewed') running.trustedUntil = askedAt + leaseMs;
        if (renewal === 'lease-lost') this.#lose(running);
      }
    } catch (cause) {
      answered = false;
      emit(this.#relay, { kind: 'database-failed', cause });
    }
    this.#cancelWatch();
    this.#loseUntrusted();
    if (this.#held.size === 0) return;
    // From when it was asked: a database that takes long to answer must not make the next one late.
    const pauseMs = answered ? leaseMs / 3 - (clock.now() - askedAt) : leaseMs / 10;
    this.#renewIn(Math.max(1, pauseMs));
  }

  /** Stops what ran out while an answer is outstanding. */
  #watch(): void {
    const { clock } = this.#relay;
    this.#cancelWatch();
    const firstAt = Math.min(...[...this.#held].map(({ trustedUntil }) => trustedUntil));
    if (firstAt === Infinity) return;
    const check = () => {
      this.#loseUntrusted();
      this.#watch();
    };
    this.#cancelWatch = clock.setTimer(check, Math.max(1, firstAt - clock.now()));
  }

  #loseUntrusted(): void {
    const now = this.#relay.clock.now();
    for (const running of this.#held) if (running.trustedUntil <= now) this.#lose(running);
  }

  #lose(running: RunningJob): void {
    // It may have ended meanwhile: a job that is done has no lease, and has lost nothing.
    if (!this.#held.has(running)) return;
    this.remove(running);
    running.stop('lease-lost');
  }
}
