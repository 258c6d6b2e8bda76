import { headerNames } from '@onceward/core';
import { latestDateMs } from '../answers/expiry-date.ts';
import type { Answer } from './answer.ts';

/** `extensions.idempotency` of a result. */
export interface ReplayFacts {
  /** True when an earlier attempt made the answer. */
  readonly replayed: boolean;
  /** Until when the same key gets the same answer, to the second; absent when it cannot, or for ever. */
  readonly expiresAt?: string;
}

/** What clients are told about an answer. */
export interface AnswerFacts {
  readonly inBody: ReplayFacts;
  /** The same as JSON. */
  readonly text: string;
  /** The same for where a server reads `extensions.http`. */
  readonly http: { readonly headers: Readonly<Record<string, string>> };
}

/**
 * To the second, as headers say it. New answers of one second are told the same, so it is written
 * once for all of them; nobody can change it.
 */
export function answerFacts({ replayed, answerExpiresAt = Infinity }: ExpiringAnswer): AnswerFacts {
  if (answerExpiresAt > latestDateMs) return factsOf(replayed, undefined);
  const second = Math.floor(answerExpiresAt / 1_000) * 1_000;
  if (replayed) return factsOf(replayed, second);
  if (latest?.second !== second) latest = { second, facts: factsOf(replayed, second) };
  return latest.facts;
}

type ExpiringAnswer = Pick<Answer, 'replayed' | 'answerExpiresAt'>;

let latest: { readonly second: number; readonly facts: AnswerFacts } | undefined;

function factsOf(replayed: boolean, expiresAtMs: number | undefined): AnswerFacts {
  const date = expiresAtMs === undefined ? undefined : new Date(expiresAtMs);
  const inBody = Object.freeze(date ? { replayed, expiresAt: date.toISOString() } : { replayed });
  const headers = Object.freeze({
    ...(replayed ? { [headerNames.replayed]: 'true' } : {}),
    ...(date ? { [headerNames.expires]: date.toUTCString() } : {}),
  });
  return { inBody, text: JSON.stringify(inBody), http: Object.freeze({ headers }) };
}
