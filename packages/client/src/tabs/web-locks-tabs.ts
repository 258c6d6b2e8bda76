import type { Clock } from '@onceward/core';
import type { CampaignEvents } from '@onceward/core/journal';
import type { Bus } from './bus.ts';
import { heartbeatMs, patienceMs } from './terms.ts';

export interface WebLocksElection {
  readonly locks: LockManager;
  /** The name of the lock: tabs with the same name have one leader. */
  readonly name: string;
  readonly bus: Bus;
  readonly clock: Clock;
}

/**
 * Leads whoever holds a Web Lock. The browser passes it on when a tab is closed or crashes.
 *
 *                 granted
 *   waiting ───────────────────▶ leading ──resigns──▶ over
 *     │  ▲                        ▲   │
 *     │  └── pong: be patient     │   └──stolen: deposed──▶ over
 *     │                           │
 *     └── no pong for 15 s: steal ┘
 *
 * A frozen tab keeps its lock and does nothing with it, so whoever waits asks for a sign of life.
 */
export function campaignByLock(
  { locks, name, bus, clock }: WebLocksElection,
  events: CampaignEvents,
): () => void {
  const waiting = new AbortController();
  let state: 'waiting' | 'leading' | 'over' = 'waiting';
  let release = () => {};
  let unanswered = 0;
  let cancelTimer = () => {};

  const stopListening = bus.listen((message) => {
    if (message === 'pong') unanswered = 0;
    if (message === 'ping' && state === 'leading') bus.send('pong');
  });

  const finish = () => {
    state = 'over';
    cancelTimer();
    stopListening();
    waiting.abort();
    release();
  };

  const lead = () => {
    if (state !== 'waiting') return undefined;
    state = 'leading';
    cancelTimer();
    // Whoever else was about to steal the lock learns that it is in good hands.
    bus.send('pong');
    const held = new Promise<void>((resolve) => (release = resolve));
    events.elected();
    return held;
  };

  const request = (options: LockOptions) => {
    let granted = false;
    const hold = () => {
      granted = true;
      return lead();
    };
    locks.request(name, options, hold).catch(() => {
      // A wait that was aborted rejects as well, and concerns nobody.
      if (!granted || state !== 'leading') return;
      finish();
      events.deposed();
    });
  };

  // Silence is counted in pings, not measured: a tab that was frozen itself must not think that
  // the leader was silent for all that time.
  const ask = () => {
    if (unanswered * heartbeatMs >= patienceMs) {
      waiting.abort();
      return request({ steal: true });
    }
    unanswered++;
    bus.send('ping');
    cancelTimer = clock.setTimer(ask, heartbeatMs);
  };

  request({ signal: waiting.signal });
  ask();
  return finish;
}
