import type { ErrorCode, WireError } from '@onceward/core';
import type { Failure } from '../failure.ts';

/** What became of the key in one attempt. */
export type KeyDelivery =
  /** It was put on the request. */
  | 'delivered'
  /** There is one, but nothing asked for it: the request went out without it, or not at all. */
  | 'not-delivered'
  /** The caller wanted none. */
  | 'none';

/** What to do after a failed attempt. */
export type Verdict =
  | { readonly kind: 'retry'; readonly why: RetryReason; readonly pace: Pace }
  | { readonly kind: 'give-up'; readonly why: GiveUpReason }
  | {
      readonly kind: 'configuration-error';
      /** `key-not-received`: it was sent, but something on the way to the server removed it. */
      readonly why: 'key-not-sent' | 'key-not-received';
    };

/** Why an intent is sent again. */
export type RetryReason =
  | 'in-progress'
  | 'outcome-unknown'
  | 'refused-for-now'
  | 'http'
  | 'network'
  | 'timeout'
  | 'no-answer';

/** Why an intent is not sent again. */
export type GiveUpReason =
  /** A code of the table that stays the same however often it is sent. */
  | 'refused'
  /** The server no longer remembers this key; nobody can say whether an attempt took effect. */
  | 'unresolved'
  /** The mutation took effect; its answer is gone. */
  | 'executed'
  /** The application's answer. */
  | 'answered'
  /** HTTP 401: the same key may be sent again once the user is signed in. */
  | 'unauthorized'
  /** Without a key a second attempt could take effect twice. */
  | 'no-key'
  | 'aborted';

/** How fast to come back, and what ends it. */
export type Pace =
  /** More slowly each time, until no attempts are left. */
  | 'backoff'
  /** When the server says so: it is executing the mutation, which uses up time but no attempts. */
  | 'soon'
  /** Slowly from the start, which uses up no attempts either. */
  | 'poll';

/** Decides whether an intent may be sent again. Pure: no clock, no I/O, no randomness. */
export function judge(failure: Failure, key: KeyDelivery): Verdict {
  if (failure.kind === 'idempotency' && failure.error.code === 'IDEMPOTENCY_KEY_MISSING') {
    return judgeMissingKey(key);
  }
  const verdict = judgeDelivered(failure);
  if (verdict.kind !== 'retry' || key === 'delivered') return verdict;
  return key === 'none'
    ? { kind: 'give-up', why: 'no-key' }
    : { kind: 'configuration-error', why: 'key-not-sent' };
}

/** The verdict for an attempt whose key has been delivered. */
function judgeDelivered(failure: Failure): Verdict {
  switch (failure.kind) {
    case 'idempotency':
      return judgeCode(failure.error);
    case 'http':
      return judgeStatus(failure.status);
    case 'answered':
    case 'aborted':
      return { kind: 'give-up', why: failure.kind };
    default:
      return retry(failure.kind);
  }
}

function judgeCode({ code, retry: advice }: WireError): Verdict {
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return retry('in-progress', 'soon');
  if (advice === 'same-key') return retry('refused-for-now');
  if (advice === 'poll') return retry('outcome-unknown', 'poll');
  // `never`, and whatever else a newer server may advise.
  return { kind: 'give-up', why: finalCodes.get(code) ?? 'refused' };
}

/** Refusals that say more than no. No object: a code of the wire may be called `constructor`. */
const finalCodes: ReadonlyMap<ErrorCode, GiveUpReason> = new Map([
  ['IDEMPOTENCY_KEY_EXPIRED', 'unresolved'],
  ['IDEMPOTENCY_RESPONSE_UNAVAILABLE', 'executed'],
]);

function judgeStatus(status: number): Verdict {
  if (status === 401) return { kind: 'give-up', why: 'unauthorized' };
  // Below 400 yet a failure: a page of somebody between us and the server, such as a hotel's.
  const refusedForNow = status < 400 || status >= 500 || [408, 425, 429].includes(status);
  return refusedForNow ? retry('http') : { kind: 'give-up', why: 'answered' };
}

function retry(why: RetryReason, pace: Pace = 'backoff'): Verdict {
  return { kind: 'retry', why, pace };
}

/** The server asks for a key that there is: a header helper was forgotten, or a proxy strips it. */
function judgeMissingKey(key: KeyDelivery): Verdict {
  if (key === 'none') return { kind: 'give-up', why: 'refused' };
  const why = key === 'delivered' ? 'key-not-received' : 'key-not-sent';
  return { kind: 'configuration-error', why };
}
