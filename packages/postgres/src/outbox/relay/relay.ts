import { handLanesOn } from '../sql/hand-lanes-on.ts';
import { placeInLanes } from '../sql/place-in-lanes.ts';
import { pruneJobs } from '../sql/prune-jobs.ts';
import { type TakenJob, takeJobs } from '../sql/take-jobs.ts';
import type { Tasks } from '../task.ts';
import { timerMs } from '../check-option.ts';
import { JobLeases } from './job-leases.ts';
import { emit } from './relay-event.ts';
import { type RelayOptions, type ResolvedRelay, resolveRelayOptions } from './relay-options.ts';
import { runJob } from './run-job.ts';
import { RunningJob } from './running-job.ts';
import { type Listening, stayListening } from './stay-listening.ts';
import { WakeUp } from './wake-up.ts';

/** Runs the jobs of an outbox. Any number may do so at once, in any number of processes. */
export interface Relay extends AsyncDisposable {
  /** Takes and runs jobs until it is stopped. Keeps the process alive. */
  start(): void;
  /** Instead of `start`: runs what is due, and what follows from it, and resolves when all ended. */
  drain(): Promise<void>;
  /** Takes no more jobs, waits for those that run, and stops those that take too long. */
  stop(options?: StopOptions): Promise<void>;
}

/** How a relay is stopped. */
export interface StopOptions {
  /** How long jobs may go on before their signals are aborted. @defaultValue `10_000` */
  limitMs?: number;
}

/**
 * Makes a relay.
 *
 * @example
 * ```ts
 * const relay = createRelay({
 *   outbox,
 *   handlers: { 'send-receipt': ({ payload, key }) => mail.send(payload, { idempotencyKey: key }) },
 * });
 * relay.start();
 * ```
 */
export function createRelay<Named extends Tasks, Transaction>(
  options: RelayOptions<Named, Transaction>,
): Relay {
  return new JobRelay(resolveRelayOptions(options));
}

/**
 *   asleep ──notified, or 500 ms over──▶ take ──▶ as many as fit run at once
 *     ▲                                   │ ▲
 *     └──────────fewer than fit───────────┘ └── as many as fit, or lanes to hand on: look again
 *
 * No transaction is open between a take and the end of a job, but for that of a handler that asked
 * for one.
 */
class JobRelay implements Relay {
  readonly #relay: ResolvedRelay;
  readonly #leases: JobLeases;
  readonly #wakeUp: WakeUp;
  readonly #running = new Map<RunningJob, Promise<void>>();
  /** Whether the last take found as many as it asked for. */
  #moreDue = false;
  /** How many jobs have ended. */
  #ended = 0;
  #stopping = false;
  #loop: Promise<void> | undefined;
  #listening: Listening | undefined;
  #cancelPrune = () => {};

  constructor(relay: ResolvedRelay) {
    this.#relay = relay;
    this.#leases = new JobLeases(relay);
    this.#wakeUp = new WakeUp(relay.clock);
  }

  start(): void {
    this.#refuseStopped();
    if (this.#loop) return;
    this.#listening = stayListening(this.#relay, () => this.#wakeUp.ring());
    this.#pruneIn(this.#relay.random() * PRUNE_EVERY_MS);
    this.#loop = this.#takeUntilStopped();
  }

  async drain(): Promise<void> {
    this.#refuseStopped();
    if (this.#loop) throw new TypeError('A relay that was started needs no `drain`');
    while (!this.#stopping) {
      const ended = this.#ended;
      const found = this.#free > 0 ? await this.#take() : 'all';
      if (found === 'more' && this.#free > 0) continue;
      // What ended meanwhile may have let others have their turn, or enqueued them.
      if (this.#ended !== ended) continue;
      if (this.#running.size === 0) return;
      await Promise.race(this.#running.values());
    }
  }

  async stop({ limitMs = 10_000 }: StopOptions = {}): Promise<void> {
    const { clock } = this.#relay;
    timerMs('limitMs', limitMs);
    this.#stopping = true;
    this.#cancelPrune();
    this.#wakeUp.ring();
    const cancelLimit = clock.setTimer(() => {
      for (const running of this.#running.keys()) running.stop('shutdown');
    }, limitMs);
    // A database that does not answer must not keep the process: leases run out by themselves.
    let cancelPatience = () => {};
    const patience = new Promise<void>((resolve) => {
      cancelPatience = clock.setTimer(resolve, limitMs + LAST_WORDS_MS);
    });
    await Promise.race([this.#end(), patience]);
    cancelLimit();
    cancelPatience();
  }

  async #end(): Promise<void> {
    await Promise.all([this.#listening?.close(), this.#loop]);
    await Promise.all(this.#running.values());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #takeUntilStopped(): Promise<void> {
    while (!this.#stopping) {
      try {
        if (this.#free > 0 && (await this.#take()) === 'more') continue;
      } catch (cause) {
        emit(this.#relay, { kind: 'database-failed', cause });
      }
      if (this.#stopping) return;
      await this.#wakeUp.sleep(this.#free > 0 ? this.#relay.pollMs : undefined);
    }
  }

  get #free(): number {
    return this.#relay.concurrency - this.#running.size;
  }

  /** Takes as many jobs as fit, and begins them. */
  async #take(): Promise<'more' | 'all'> {
    const { database, schema, handlers, leaseMs, clock, newToken } = this.#relay;
    const tasks = [...handlers].map(([task, { maxAttempts }]) => ({ task, maxAttempts }));
    const limit = this.#free;
    const askedAt = clock.now();
    const taken = await takeJobs(database, schema, { tasks, limit, token: newToken(), leaseMs });
    for (const job of taken.jobs) this.#begin(job, askedAt + leaseMs);
    for (const { task, attempt } of taken.died) {
      emit(this.#relay, { kind: 'job-died', task, attempt });
    }
    this.#moreDue = taken.jobs.length === limit;
    const arranged = taken.arrange && (await this.#arrange());
    return arranged || this.#moreDue || taken.died.length > 0 ? 'more' : 'all';
  }

  /** Whether it found anything to do: somebody else may be at it. */
  async #arrange(): Promise<boolean> {
    const { database, schema } = this.#relay;
    const handedOn = await handLanesOn(database, schema);
    return (await placeInLanes(database, schema)) + handedOn > 0;
  }

  #begin(job: TakenJob, trustedUntil: number): void {
    const handler = this.#relay.handlers.get(job.task);
    if (!handler) throw new Error('The database answered with a job of another task');
    const running = new RunningJob(job, trustedUntil);
    this.#leases.add(running);
    const ended = runJob(running, handler, this.#relay)
      .then(async (end) => {
        this.#leases.remove(running);
        if (end === 'finished' && job.lane !== null) await this.#handOn();
      })
      .finally(() => {
        this.#leases.remove(running);
        this.#running.delete(running);
        this.#ended++;
        // Unless there may be more to do, a free place is no reason to ask the database.
        if (this.#moreDue || job.lane !== null) this.#wakeUp.ring();
      });
    this.#running.set(running, ended);
  }

  async #handOn(): Promise<void> {
    try {
      await handLanesOn(this.#relay.database, this.#relay.schema);
    } catch (cause) {
      // The next take finds the lane as it is.
      emit(this.#relay, { kind: 'database-failed', cause });
    }
  }

  #pruneIn(ms: number): void {
    const { database, schema, clock, retentionMs } = this.#relay;
    const prune = async () => {
      try {
        const pruned = await pruneJobs(database, schema, { retentionMs });
        emit(this.#relay, { kind: 'jobs-pruned', pruned });
      } catch (cause) {
        emit(this.#relay, { kind: 'database-failed', cause });
      }
      if (!this.#stopping) this.#pruneIn(PRUNE_EVERY_MS);
    };
    this.#cancelPrune = clock.setTimer(() => void prune(), ms, { background: true });
  }

  #refuseStopped(): void {
    if (this.#stopping) throw new TypeError('A relay that was stopped cannot be used again');
  }
}

const PRUNE_EVERY_MS = 3_600_000;

/** For handlers to notice that they shall stop, and for writing down what came of them. */
const LAST_WORDS_MS = 5_000;
