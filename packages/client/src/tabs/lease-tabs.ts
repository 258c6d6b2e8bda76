import type { Clock } from '@onceward/core';
import type { CampaignEvents } from '@onceward/core/journal';
import { heartbeatMs, patienceMs } from './terms.ts';

/** A row that all tabs see, and that names the one that leads. */
export interface Lease {
  /**
   * Takes or renews the lease until then, unless another holder has it: one atomic step. Resolves
   * with whether it is the holder's now.
   */
  take(holder: string, now: number, untilAt: number): Promise<boolean>;
  /** Gives it back, if it is the holder's. */
  free(holder: string): Promise<void>;
}

export interface LeaseElection {
  readonly lease: Lease;
  readonly clock: Clock;
}

/**
 * Leads whoever has a lease that has not run out, for browsers without Web Locks, and pages that
 * were not loaded over HTTPS.
 *
 * A leader renews at a third of its time; the others ask as often.
 */
export function campaignByLease(
  { lease, clock }: LeaseElection,
  events: CampaignEvents,
): () => void {
  // Not a secret, and `crypto.randomUUID` is missing just where this is needed.
  const holder = `${Math.random()}`;
  let state: 'waiting' | 'leading' | 'over' = 'waiting';
  let cancelTimer = () => {};

  const finish = () => {
    if (state === 'over') return;
    state = 'over';
    cancelTimer();
    // Should this fail, the lease runs out by itself.
    lease.free(holder).catch(() => {});
  };

  const ask = async () => {
    const now = clock.now();
    // A tab that cannot renew does not know whether it leads, and another soon will.
    const ours = await lease.take(holder, now, now + patienceMs).catch(() => false);
    if (state === 'over') {
      // It was resigned while the lease was on its way.
      if (ours) lease.free(holder).catch(() => {});
    } else if (state === 'leading' && !ours) {
      finish();
      events.deposed();
    } else {
      cancelTimer = clock.setTimer(() => void ask(), heartbeatMs);
      if (state === 'leading' || !ours) return;
      state = 'leading';
      events.elected();
    }
  };

  void ask();
  return finish;
}
