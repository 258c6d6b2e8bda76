import type { Lease } from '@onceward/core/store';
import type { ResolvedMutation } from '../options/mutation-options.ts';

/**
 * Renews a lease while its handler runs, and says when it can no longer be trusted.
 *
 * While the store cannot be reached the lease is trusted until it would have run out by our own
 * count, and not a moment longer: somebody else may hold it by then.
 */
export class LeaseKeeper {
  readonly #lease: Lease;
  readonly #mutation: ResolvedMutation;
  readonly #controller = new AbortController();
  readonly #cancelTimeLimit: () => void;
  #cancelRenewal = () => {};
  #cancelWatch = () => {};
  #stopped = false;

  /**
   * Starts at once. `askedAt` is when the reservation was asked for, by our clock: the store
   * granted it later, so counting from then errs on the safe side.
   */
  constructor(lease: Lease, mutation: ResolvedMutation, { askedAt }: { askedAt: number }) {
    this.#lease = lease;
    this.#mutation = mutation;
    const { clock, maxExecutionMs } = mutation.engine;
    this.#cancelTimeLimit = clock.setTimer(
      () => this.#abort(`The mutation ran for longer than maxExecutionMs (${maxExecutionMs} ms)`),
      maxExecutionMs,
    );
    this.#trustUntil(askedAt + mutation.leaseMs);
    this.#renewIn(mutation.leaseMs / 3);
  }

  /** Aborted when the lease was lost, may have been lost, or the handler ran for too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimeLimit();
    this.#cancelRenewal();
    this.#cancelWatch();
  }

  async #renew(): Promise<void> {
    const { engine, leaseMs } = this.#mutation;
    const askedAt = engine.clock.now();
    let answer: 'renewed' | 'lease-lost' | 'no-answer';
    try {
      await engine.probe('before-renew');
      answer = await engine.store.renew(this.#lease, leaseMs);
    } catch {
      answer = 'no-answer';
    }
    if (this.#stopped) return;
    switch (answer) {
      case 'renewed':
        this.#trustUntil(askedAt + leaseMs);
        return this.#renewIn(leaseMs / 3);
      case 'no-answer':
        return this.#renewIn(leaseMs / 10);
      case 'lease-lost':
        return this.#abort('The lease was lost to another attempt');
    }
  }

  #renewIn(ms: number): void {
    this.#cancelRenewal = this.#mutation.engine.clock.setTimer(() => void this.#renew(), ms);
  }

  #trustUntil(at: number): void {
    const { clock } = this.#mutation.engine;
    this.#cancelWatch();
    this.#cancelWatch = clock.setTimer(
      () => this.#abort('The lease ran out while the store could not be reached'),
      at - clock.now(),
    );
  }

  #abort(message: string): void {
    this.stop();
    this.#controller.abort(new Error(message));
  }
}
