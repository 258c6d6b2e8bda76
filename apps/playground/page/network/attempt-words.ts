import { headerNames } from '@onceward/core';
import type { Attempt } from '../shop/order.ts';

/** What an answer says, for people, whether it comes from tRPC, GraphQL or a gateway. */
export async function answerWords(
  response: Response,
  first: boolean,
): Promise<Pick<Attempt, 'status' | 'replayed' | 'retryAfter' | 'words'>> {
  const { status, headers } = response;
  const retryAfter = headers.get(headerNames.retryAfter);
  const replayed = headers.has(headerNames.replayed);
  const words = response.ok
    ? successWords(replayed, first)
    : refusalWords(status, await response.clone().text());
  return { status, replayed, words, ...(retryAfter !== null && { retryAfter }) };
}

/** Why there was no answer. */
export function lossWords({ cut, late }: { cut: boolean; late: boolean }): string {
  if (cut) return 'no answer: the network was cut';
  return late ? 'no answer in time' : 'no answer: the connection broke';
}

function successWords(replayed: boolean, first: boolean): string {
  if (!replayed) return 'executed and answered';
  // Browsers repeat a request on their own when a connection that they had kept open breaks.
  if (first) return 'sent twice by the browser itself: executed once, answered again';
  return 'answered again, nothing was executed';
}

function refusalWords(status: number, body: string): string {
  if (body.includes('IDEMPOTENCY_IN_PROGRESS')) {
    return 'told to wait: an earlier attempt is still running';
  }
  if (body.includes('IDEMPOTENCY_OUTCOME_UNKNOWN')) {
    return 'told to wait: nobody knows yet whether it happened';
  }
  return `refused with ${status}`;
}
