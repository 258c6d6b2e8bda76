import type { ErrorCode, WireError } from '@onceward/core';
import type { Failure } from '../failure.ts';
import {
  advice,
  describeResult,
  type GraphQLResult,
  isWireError,
} from '../graphql/describe-result.ts';
import { answerHeaders } from '../http-status-error.ts';
import type { OutgoingRequest } from './outgoing-request.ts';

/**
 * Puts a response into words; `undefined` when it is one to give on as a success.
 *
 * Reads a copy, and only of JSON: with it, half a body counts as no answer, and a code of the table
 * is found also where the status is 200. The response itself stays unread.
 */
export async function describeResponse(
  response: Response,
  request: OutgoingRequest,
): Promise<Failure | undefined> {
  const type = response.headers.get('content-type') ?? '';
  const body = /[/+]json\b/i.test(type) ? parse(await response.clone().text()) : undefined;
  const failure = describeResult(body, response);
  if (failure?.kind === 'idempotency') return failure;
  // Where there is no GraphQL, the error is the body.
  if (isOurs(body)) return { kind: 'idempotency', error: body, headers: answerHeaders(response) };
  if (response.status >= 400) return failure ?? { kind: 'answered' };
  return isPageForPeople(type, request) ? { kind: 'no-answer' } : undefined;
}

/**
 * Whether a body is an error of ours. Other services have a `code` and `details`, too, so its name
 * must be in core's table.
 */
function isOurs(body: unknown): body is WireError {
  return isWireError(body) && (body.code in advice || body.code in final);
}

/** What `advice` leaves out; the types keep it complete. */
const final: Readonly<Record<Exclude<ErrorCode, keyof typeof advice>, 0>> = {
  IDEMPOTENCY_KEY_MISSING: 0,
  IDEMPOTENCY_KEY_INVALID: 0,
  IDEMPOTENCY_KEY_FUTURE: 0,
  IDEMPOTENCY_KEY_EXPIRED: 0,
  IDEMPOTENCY_KEY_REUSED: 0,
  IDEMPOTENCY_INPUT_INVALID: 0,
  IDEMPOTENCY_MULTIPLE_FIELDS: 0,
  IDEMPOTENCY_RESPONSE_UNAVAILABLE: 0,
};

/** HTML for somebody who asked for JSON: a log-in page, or that of a hotel. */
function isPageForPeople(type: string, { headers }: OutgoingRequest): boolean {
  const accept = headers.get('accept') ?? '';
  return /\bhtml\b/i.test(type) && /json/i.test(accept) && !/html|\*\/\*/i.test(accept);
}

function parse(text: string): GraphQLResult | undefined {
  try {
    return (JSON.parse(text) as GraphQLResult | null) ?? undefined;
  } catch {
    return undefined;
  }
}
