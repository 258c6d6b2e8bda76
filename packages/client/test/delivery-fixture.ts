import { type ErrorCode, type ErrorDetails, IdempotencyError } from '@onceward/core';
import { createVirtualClock, type VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { Attempt, Send } from '../src/attempt.ts';
import { createDelivery } from '../src/create-delivery.ts';
import type { Delivery } from '../src/delivery.ts';
import { DeliveryError } from '../src/delivery-error.ts';
import type { DeliveryEvent } from '../src/delivery-event.ts';
import type { DeliveryOptions } from '../src/delivery-options.ts';
import { HttpStatusError } from '../src/http-status-error.ts';

export interface DeliveryFixture {
  readonly delivery: Delivery;
  readonly clock: VirtualClock;
  readonly events: DeliveryEvent[];
  readonly kinds: () => string[];
  /** What was waited for so far, and for how long. */
  readonly waits: () => { why: string; delayMs: number }[];
}

/** A delivery on a clock that stands still, whose jitter is always half of what it could be. */
export function openDeliveryFixture(options: DeliveryOptions = {}): DeliveryFixture {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const events: DeliveryEvent[] = [];
  const onEvent = (event: DeliveryEvent) => void events.push(event);
  const delivery = createDelivery({ clock, random: () => 0.5, onEvent, ...options });
  return {
    delivery: {
      deliver(intent, send) {
        const delivered = delivery.deliver(intent, send);
        // A test moves the clock first and looks later; until then a rejection is nobody's fault.
        delivered.catch(() => {});
        return delivered;
      },
    },
    clock,
    events,
    kinds: () => events.map(({ kind }) => kind),
    waits: () =>
      events.flatMap((event) =>
        event.kind === 'attempt-waiting' ? [{ why: event.why, delayMs: event.delayMs }] : [],
      ),
  };
}

export interface ScriptedServer {
  readonly send: Send<unknown>;
  /** The attempts that arrived, with the key each carried. */
  readonly seen: { key: string | undefined; number: number; signal: AbortSignal | null }[];
}

/** Answers one attempt after another: throws errors, never answers `hang`, repeats the last. */
export function serverThat(...answers: unknown[]): ScriptedServer {
  const seen: ScriptedServer['seen'] = [];
  const send = async (attempt: Attempt): Promise<unknown> => {
    seen.push({ key: attempt.takeKey(), number: attempt.number, signal: attempt.signal });
    const answer = answers[Math.min(seen.length, answers.length) - 1];
    if (answer === hang) return new Promise(() => {});
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { send, seen };
}

export const hang = Symbol('never answers');

export function status(code: number, headers: Record<string, string> = {}): HttpStatusError {
  return new HttpStatusError({ status: code, headers: new Headers(headers) });
}

export function refusal<Code extends ErrorCode>(
  code: Code,
  details: ErrorDetails[Code],
): IdempotencyError<Code> {
  return new IdempotencyError(code, details);
}

export const inProgress = (retryAfterMs = 1_000) =>
  refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs });

/** Looks at a promise that may still be pending. */
export function peek(promise: Promise<unknown>): { state: string; value?: unknown } {
  const seen: { state: string; value?: unknown } = { state: 'pending' };
  promise.then(
    (value) => Object.assign(seen, { state: 'fulfilled', value }),
    (value: unknown) => Object.assign(seen, { state: 'rejected', value }),
  );
  return seen;
}

/** The `DeliveryError` that an intent is given up with. */
export async function errorOf(delivered: Promise<unknown>): Promise<DeliveryError> {
  const error: unknown = await delivered.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!DeliveryError.is(error)) throw new Error('Expected a DeliveryError', { cause: error });
  return error;
}
