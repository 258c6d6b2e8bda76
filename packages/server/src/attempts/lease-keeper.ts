import type { Lease } from '@onceward/core/store';
import { emit } from '../hooks/emit.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { StopSignal } from './stop-signal.ts';
import { startTimeLimit } from './time-limit.ts';
import type { Place, Timed } from './timer-queue.ts';

/**
 * Renews a lease while its handler runs, and says when it can no longer be trusted.
 *
 * While the store cannot be reached the lease is trusted until it would have run out by our own
 * count, and not a moment longer: somebody else may hold it by then.
 */
export class LeaseKeeper implements Timed {
  /** Aborted when the lease was lost, may have been lost, or the handler ran for too long. */
  readonly stopSignal = new StopSignal();
  readonly #lease: Lease;
  readonly #mutation: ResolvedMutation;
  readonly #askedAt: number;
  readonly #place: Place;
  #trustedUntil: number;
  #timeLimit: Disposable | undefined;
  #cancelRenewal: (() => void) | undefined;
  #cancelWatch: (() => void) | undefined;
  #stopped = false;

  /**
   * Starts at once. `askedAt` is when the reservation was asked for, by our clock: the store
   * granted it later, so counting from then errs on the safe side.
   */
  constructor(lease: Lease, mutation: ResolvedMutation, askedAt: number) {
    this.#lease = lease;
    this.#mutation = mutation;
    this.#askedAt = askedAt;
    this.#trustedUntil = askedAt + mutation.leaseMs;
    this.#place = mutation.quickHandlers.add(this);
  }

  /** This handler is none of the quick ones: from now on it has timers of its own. */
  onTimeUp(): void {
    const { engine, leaseMs, quickHandlerMs } = this.#mutation;
    const hasRunMs = engine.clock.now() - this.#askedAt;
    this.#timeLimit = startTimeLimit(
      engine,
      (reason) => {
        // Beyond its time a handler is no longer renewed, so that its key does not stay taken.
        this.#stopRenewing();
        this.stopSignal.abort(reason);
      },
      // Within bounds, for the clock of a machine may be set.
      { hasRunMs: Math.min(Math.max(hasRunMs, 0), quickHandlerMs) },
    );
    this.#trust(this.#askedAt, leaseMs - quickHandlerMs);
    void this.#renew();
  }

  /**
   * Throws unless the lease can be trusted now, by the clock: a process that was suspended wakes up
   * before its timers do, and must not start what another attempt may have started since.
   */
  assertTrusted(): void {
    this.stopSignal.throwIfAborted();
    if (this.#mutation.engine.clock.now() < this.#trustedUntil) return;
    this.#lose('The lease ran out before the next effect could start');
    this.stopSignal.throwIfAborted();
  }

  stop(): void {
    this.#timeLimit?.[Symbol.dispose]();
    this.#stopRenewing();
  }

  async #renew(): Promise<void> {
    const { engine, leaseMs } = this.#mutation;
    const askedAt = engine.clock.now();
    let answer: 'renewed' | 'lease-lost' | 'no-answer';
    try {
      if (engine.probe) await engine.probe('before-renew');
      answer = await engine.storeTime.limit(engine.store.renew(this.#lease, leaseMs));
    } catch (cause) {
      emit(engine, { kind: 'store-failed', store: engine.store.name, cause });
      answer = 'no-answer';
    }
    if (this.#stopped) return;
    switch (answer) {
      case 'renewed':
        this.#trust(askedAt, leaseMs);
        return this.#renewIn(leaseMs / 3);
      case 'no-answer':
        return this.#renewIn(leaseMs / 10);
      case 'lease-lost':
        return this.#lose('The lease was lost to another attempt');
    }
  }

  #renewIn(ms: number): void {
    this.#cancelRenewal = this.#mutation.engine.clock.setTimer(() => void this.#renew(), ms);
  }

  /**
   * Stops the handler when a lease that was asked for then has run out, unless it is renewed before.
   * Also when the clock is set back meanwhile: a timer goes on, and has a bound of its own.
   */
  #trust(askedAt: number, atMostMs: number): void {
    const { engine, leaseMs } = this.#mutation;
    this.#trustedUntil = askedAt + leaseMs;
    this.#cancelWatch?.();
    this.#cancelWatch = engine.clock.setTimer(
      () => this.#lose('The lease ran out while the store could not be reached'),
      Math.min(this.#trustedUntil - engine.clock.now(), atMostMs),
    );
  }

  #lose(reason: string): void {
    this.stop();
    this.stopSignal.abort(new Error(reason));
  }

  #stopRenewing(): void {
    this.#stopped = true;
    this.#mutation.quickHandlers.remove(this.#place);
    this.#cancelRenewal?.();
    this.#cancelWatch?.();
  }
}
