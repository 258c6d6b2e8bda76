import { type IdempotencyKey, keyTimestamp } from '@onceward/core';
import type { VirtualClock } from '../../../../test/support/virtual-clock.ts';
import { refusal, status } from '../delivery-fixture.ts';

/** What becomes of a request. */
export const fates = [
  'lost',
  'answer-lost',
  'hang',
  'late',
  '503',
  '503 for seconds',
  '503 until a date',
  '401',
  '422',
  'in progress',
  'expired',
] as const;

export type Fate = (typeof fates)[number];

/** What arrived. */
export interface Payment {
  readonly id: string;
  readonly key: IdempotencyKey;
  readonly input: unknown;
}

/** Pays once per key for as long as it remembers, by a clock that nobody sets. */
export interface Bank {
  /** What becomes of the next requests, one each; after that all is well. */
  readonly fates: Fate[];
  request(payment: Payment): Promise<unknown>;
}

/** What the bank tells the test. */
export interface BankWatcher {
  takesEffect(payment: Payment): void;
  refuses(payment: Payment, why: 'future' | 'expired'): void;
}

export function openBank(clock: VirtualClock, watcher: BankWatcher): Bank {
  const executed = new Map<string, { input: string; at: number }>();
  const scripted: Fate[] = [];

  /** What the server does when a request has arrived, and whether it was on its way for long. */
  const execute = (payment: Payment, late: boolean): unknown => {
    const now = clock.now();
    const { key, input } = payment;
    const retryAfterMs = keyTimestamp(key) - now - toleranceMs;
    if (retryAfterMs > 0) {
      watcher.refuses(payment, 'future');
      throw refusal('IDEMPOTENCY_KEY_FUTURE', { serverTimeMs: now, retryAfterMs });
    }
    if (keyTimestamp(key) < now - retentionMs) {
      if (!late) watcher.refuses(payment, 'expired');
      throw refusal('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: retentionMs });
    }
    const text = JSON.stringify(input);
    const known = executed.get(key);
    if (known && known.input !== text) {
      throw refusal('IDEMPOTENCY_KEY_REUSED', { operation: 'pay' });
    }
    if (!known) {
      executed.set(key, { input: text, at: now });
      watcher.takesEffect(payment);
    }
    for (const [old, { at }] of executed) {
      if (at < now - retentionMs - toleranceMs) executed.delete(old);
    }
    return { paid: input };
  };

  const refuse = (fate: Fate | undefined): void => {
    const date = new Date(clock.now()).toUTCString();
    const until = new Date(clock.now() + 90_000).toUTCString();
    if (fate === 'lost') throw new TypeError('fetch failed');
    if (fate === '503') throw status(503);
    if (fate === '503 for seconds') throw status(503, { 'Retry-After': '300' });
    if (fate === '503 until a date') throw status(503, { 'Retry-After': until, Date: date });
    if (fate === '401') throw status(401);
    if (fate === '422') throw status(422);
    if (fate === 'in progress') throw refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 2_000 });
    if (fate === 'expired') throw refusal('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: 1 });
  };

  return {
    fates: scripted,
    async request(payment) {
      const fate = scripted.shift();
      refuse(fate);
      if (fate === 'late') {
        clock.setTimer(() => quietly(() => execute(payment, true)), 40_000);
        return never();
      }
      const answer = execute(payment, false);
      if (fate === 'answer-lost') throw new TypeError('fetch failed');
      return fate === 'hang' ? never() : answer;
    },
  };
}

export function never(): Promise<never> {
  return new Promise(() => {});
}

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // Nobody hears what the server says.
  }
}

const retentionMs = 86_400_000;

const toleranceMs = 300_000;
