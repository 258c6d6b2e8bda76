import type { Attempt } from '../attempt.ts';
import { errorForAnswer } from './answer.ts';
import { describeResponse } from './describe-response.ts';
import { type OutgoingRequest, requestOf } from './outgoing-request.ts';
import type { ReplayableBody } from './replayable-body.ts';

/** What every attempt for a request sends. */
export interface FetchParcel {
  readonly input: RequestInfo | URL;
  readonly init: RequestInit;
  readonly request: OutgoingRequest;
  readonly body: ReplayableBody;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request, each time as if it were the first. */
export function createAttemptSender(
  parcel: FetchParcel,
  send: typeof fetch,
): (attempt: Attempt) => Promise<Response> {
  const { input, init, request, body, signal } = parcel;
  let last: Response | undefined;
  return async (attempt) => {
    // Whatever is left unread keeps its connection from being used again.
    void last?.body?.cancel().catch(() => {});
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries(attempt.headers())) {
      // Sent as the caller has written it.
      if (!headers.has(name)) headers.set(name, value);
    }
    if (body.contentType && !headers.has('content-type')) {
      headers.set('content-type', body.contentType);
    }
    const response = await send(requestOf(input)?.clone() ?? input, {
      ...init,
      headers,
      signal: either(attempt.signal, signal),
      ...(body.body !== undefined && { body: body.body }),
    });
    last = response;
    const failure = await describeResponse(response, request);
    if (failure) throw errorForAnswer({ failure, response });
    return response;
  };
}

/** The caller's signal also ends the reading of a body, when there is no attempt any more. */
function either(attempt: AbortSignal | null, caller: AbortSignal | undefined): AbortSignal | null {
  return attempt && caller && 'any' in AbortSignal ? AbortSignal.any([attempt, caller]) : attempt;
}
