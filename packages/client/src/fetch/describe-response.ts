import type { Failure } from '../failure.ts';
import {
  describeResult,
  errorsOf,
  type GraphQLResult,
  wireErrorIn,
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
  // In `errors` of a GraphQL result; anywhere else the error is the body.
  const error = wireErrorIn([...errorsOf(body), { extensions: { idempotency: body } }], body?.data);
  if (error) return { kind: 'idempotency', error, headers: answerHeaders(response) };
  if (response.status >= 400) return describeResult(body, response) ?? { kind: 'answered' };
  return isPageForPeople(type, request) ? { kind: 'no-answer' } : undefined;
}

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
