import {
  createDelivery,
  DeliveryError,
  type DeliveryEvent,
  type DeliveryOptions,
  HttpStatusError,
} from '@onceward/client';
import { IdempotencyError } from '@onceward/core';

/** Delivers through every kind of trouble, and reports what came out as plain JSON. */
export async function exerciseClient(platform: Pick<DeliveryOptions, 'clock' | 'newKey'> = {}) {
  const waits: { why: string; delayMs: number }[] = [];
  const delivery = createDelivery({
    ...platform,
    // No jitter, so that the outcome is known.
    random: () => 0,
    onEvent(event: DeliveryEvent) {
      if (event.kind === 'attempt-waiting') waits.push({ why: event.why, delayMs: event.delayMs });
    },
  });

  const headers: Record<string, string>[] = [];
  const answers = [
    new TypeError('fetch failed'),
    unavailable({
      date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      'retry-after': 'Thu Jan  1 00:00:01 2026',
    }),
    new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 5 }),
  ];
  const paid = await delivery.deliver({ operation: 'pay' }, async (attempt) => {
    headers.push(attempt.headers());
    const answer = answers.shift();
    if (answer) throw answer;
    return { paid: attempt.number };
  });

  const [first = {}] = headers;
  return {
    paid,
    waits,
    key: first['Idempotency-Key'],
    oneKey: new Set(headers.map((sent) => sent['Idempotency-Key'])).size === 1,
    givenUp: await delivery
      .deliver({ operation: 'pay' }, async () => {
        throw new TypeError('fetch failed');
      })
      .catch(described),
  };
}

function unavailable(headers: Record<string, string>): HttpStatusError {
  return new HttpStatusError({
    status: 503,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
  });
}

function described(error: unknown) {
  if (!DeliveryError.is(error)) return String(error);
  const { name, reason, attempts, execution } = error;
  return { name, reason, attempts, execution, isError: error instanceof Error };
}
