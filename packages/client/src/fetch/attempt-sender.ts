import type { Attempt } from '../attempt.ts';
import { errorForAnswer } from './answer.ts';
import { describeResponse } from './describe-response.ts';
import type { OutgoingRequest } from './outgoing-request.ts';
import type { ReplayableBody } from './replayable-body.ts';

/** What every attempt for a request sends. */
export interface FetchParcel {
  readonly target: () => RequestInfo;
  readonly init: RequestInit;
  readonly request: OutgoingRequest;
  readonly body: Promise<ReplayableBody>;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request, each time as if it were the first. */
export function createAttemptSender(
  parcel: FetchParcel,
  send: typeof fetch,
): (attempt: Attempt) => Promise<Response> {
  const { target, init, request, signal } = parcel;
  let last: Response | undefined;
  return async (attempt) => {
    // Whatever is left unread keeps its connection from being used again.
    void last?.body?.cancel().catch(() => {});
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries(attempt.headers())) {
      // Sent as the caller has written it.
      if (!headers.has(name)) headers.set(name, value);
    }
    const { body, contentType } = await parcel.body;
    if (contentType && !headers.has('content-type')) headers.set('content-type', contentType);
    const response = await send(target(), {
      ...init,
      headers,
      signal: either(attempt.signal, signal),
      body: body ?? null,
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
