import type { TakenJob } from '../sql/take-jobs.ts';

/** Why a job was told to stop. */
export type StopReason = 'lease-lost' | 'time-limit' | 'shutdown';

/** A job whose handler runs, or is about to. */
export class RunningJob {
  readonly job: TakenJob;
  /** Until when, by our own clock, nobody else can have it. */
  trustedUntil: number;
  readonly #controller = new AbortController();
  #stopped: StopReason | undefined;

  constructor(job: TakenJob, trustedUntil: number) {
    this.job = job;
    this.trustedUntil = trustedUntil;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get stopped(): StopReason | undefined {
    return this.#stopped;
  }

  /** The first reason stays, unless the job was lost since: that rules out everything else. */
  stop(reason: StopReason): void {
    if (this.#stopped === undefined || reason === 'lease-lost') this.#stopped = reason;
    this.#controller.abort(new Error(messages[reason]));
  }
}

const messages: Readonly<Record<StopReason, string>> = {
  'lease-lost': 'The lease of the job was lost',
  'time-limit': 'The job ran for longer than timeLimitMs',
  shutdown: 'The relay is stopping',
};
