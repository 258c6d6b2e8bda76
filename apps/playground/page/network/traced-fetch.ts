import { mintKey } from '@onceward/core';
import { addAttempt, changeAttempt, orderWith, shopState, thisTab } from '../shop/shop-state.ts';
import type { Attempt, Order } from '../shop/order.ts';
import { answerWords, lossWords } from './attempt-words.ts';
import { untilCut } from './network-switch.ts';

/** How long a request is under way, and an answer: long enough to be watched. */
const travelMs = 450;

/**
 * `fetch` over a network that can be watched and cut. The clients above know nothing of it.
 *
 * Which order a request is about is in its key, or, where it has none, in `x-order`.
 */
export async function tracedFetch(input: unknown, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${shopState().user}`);
  const id = (headers.get('idempotency-key') ?? headers.get('x-order') ?? '').replaceAll('"', '');
  const order = orderWith(id);
  if (!order) return fetch(input as string, { ...init, headers });

  const attempt: Attempt = { id: mintKey(), tab: thisTab, phase: 'going' };
  const first = order.attempts.length === 0;
  // Who sends without a key is struck once too: there is no key to remember that by.
  if (order.fault && (order.guarded || first)) headers.set('x-fault', order.fault);
  headers.set('x-sighting', attempt.id);
  addAttempt(order.id, attempt);
  return travel(order, attempt, (signal) => fetch(input as string, { ...init, headers, signal }), {
    first,
    given: init.signal ?? undefined,
  });
}

async function travel(
  order: Order,
  { id }: Attempt,
  send: (signal: AbortSignal) => Promise<Response>,
  { first, given }: { readonly first: boolean; readonly given: AbortSignal | undefined },
): Promise<Response> {
  const cut = untilCut();
  const signal = given ? AbortSignal.any([given, cut.signal]) : cut.signal;
  let phase: 'going' | 'there' | 'coming' = 'going';
  const enter = (next: typeof phase, change: Partial<Attempt> = {}) => {
    phase = next;
    changeAttempt(order.id, id, { phase, ...change });
  };
  try {
    await pause(signal);
    enter('there');
    const response = await send(signal);
    const answer = await answerWords(response, first);
    enter('coming', answer);
    await pause(signal);
    changeAttempt(order.id, id, { phase: 'answered' });
    return response;
  } catch (error) {
    const words = lossWords({ cut: cut.signal.aborted, late: given?.aborted === true });
    changeAttempt(order.id, id, { phase: 'lost', lostWhile: phase, words });
    throw error;
  } finally {
    cut.stop();
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, travelMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    signal.addEventListener('abort', stop, { once: true });
  });
}
