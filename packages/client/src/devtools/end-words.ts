import { errorCodes, isErrorCode } from '@onceward/core';
import type { Failure } from '../failure.ts';
import type { RecordReason } from '../journal/journal-record.ts';
import { durationWords } from './duration-words.ts';
import type { AttemptEnd } from './intent-log.ts';

/** How an attempt ended: its status or code, and what the server asks for. */
export function endWords(end: AttemptEnd): string {
  switch (end.kind) {
    case 'succeeded':
      return 'succeeded';
    case 'dropped':
      return 'no connection: dropped here';
    case 'failed': {
      const { failure, retryAfterMs } = end;
      const asked =
        retryAfterMs === undefined ? '' : `, Retry-After ${durationWords(retryAfterMs)}`;
      return failureWords(failure) + asked;
    }
    case 'recorded':
      return end.reason ? reasonWords[end.reason] : 'succeeded';
  }
}

function failureWords(failure: Failure): string {
  switch (failure.kind) {
    case 'idempotency': {
      const { code } = failure.error;
      return isErrorCode(code) ? `${errorCodes[code].httpStatus} ${code}` : code;
    }
    case 'http':
      return `HTTP ${failure.status}`;
    case 'answered':
      return 'answered with an error of the application';
    case 'aborted':
      return 'aborted';
    default:
      return reasonWords[failure.kind];
  }
}

/** Why a record waits, or ended as it did. */
export const reasonWords: Readonly<Record<RecordReason, string>> = {
  network: 'no connection',
  timeout: 'no answer in time',
  'no-answer': 'what came back was no answer',
  http: 'the server or a gateway failed',
  'in-progress': 'the server is still executing it',
  'outcome-unknown': 'the server does not know yet whether it happened',
  'refused-for-now': 'refused for now',
  budget: 'other retries fail',
  unauthorized: 'the user has to sign in',
  answered: 'answered by the application',
  refused: 'refused for good',
  dependency: 'what it comes after did not succeed',
  expired: 'too old to be sent again',
  configuration: 'its key did not travel with it',
  cancelled: 'called off',
};
