import { formatKeyHeader, type IdempotencyKey } from '@onceward/core';
import { callable } from '../check-option.ts';
import { deliver } from '../deliver.ts';
import { openTools } from '../delivery.ts';
import { DeliveryError } from '../delivery-error.ts';
import type { DeliveryOptions } from '../delivery-options.ts';
import { checkedKey } from '../graphql/checked-key.ts';
import { keyHeader } from '../header-names.ts';
import { resolveIntent } from '../intent.ts';
import { answerOf, describeFetchFailure } from './answer.ts';
import { createAttemptSender } from './attempt-sender.ts';
import {
  keepTarget,
  type OutgoingRequest,
  outgoingRequest,
  requestOf,
} from './outgoing-request.ts';
import { isReplayable, replayableBody } from './replayable-body.ts';

/** How an `idempotentFetch` sends requests. Every option has a default that is safe to keep. */
export interface IdempotentFetchOptions extends Omit<DeliveryOptions, 'describeFailure'> {
  /**
   * Chooses the key of a request that has no `Idempotency-Key`: `true` for a new one, a string for
   * one of yours, anything else for none. `isMutation` suits GraphQL.
   *
   * @defaultValue none: such a request is sent once, as without us
   */
  key?: ((request: OutgoingRequest) => string | boolean | null | undefined) | undefined;
  /** What sends. @defaultValue the `fetch` there is when a request is sent */
  fetch?: typeof fetch | undefined;
}

/**
 * A `fetch` that sends requests with an `Idempotency-Key` until they settle, and all others once.
 *
 * Resolves with the response as it came, unread, where that is an answer, be it a refusal. Rejects
 * with a `DeliveryError` where there is none, and as `fetch` does when the signal is aborted.
 *
 * @example
 * ```ts
 * new GraphQLClient(url, { fetch: idempotentFetch({ key: isMutation }) });
 * ```
 */
export function idempotentFetch(options: IdempotentFetchOptions = {}): typeof fetch {
  const keyOf = callable('key', options.key ?? (() => undefined));
  const tools = openTools({ ...options, describeFailure: describeFetchFailure });

  const idempotent: typeof fetch = async (input, given) => {
    // Code without types passes `null`, which `fetch` takes for nothing.
    const init = given ?? {};
    // `fetch(url, request)`, as proxies send on what they received: its properties are no own ones.
    if ('clone' in init) return idempotent(new Request(input, init));
    // Looked up for each request: it may be replaced, by a test for example.
    const send = options.fetch ?? fetch;
    const request = outgoingRequest(input, init);
    const sent = keyIn(request);
    const key = sent ?? keyOf(request);
    if (key !== true && typeof key !== 'string') return send(input, init);

    const target = keepTarget(input, request);
    const signal = init.signal ?? requestOf(input)?.signal;
    const { method, url, headers, body } = request;
    const { origin, pathname } = placeOf(url);
    // Nothing is awaited before the key is chosen: derived keys count the calls of a handler.
    const intent = resolveIntent(
      {
        operation: `${method} ${pathname}`,
        origin,
        key: key === true ? undefined : (sent ?? checkedKey(key)),
        signal,
      },
      tools,
    );
    if (!isReplayable(body)) {
      if (!sent && intent.key) headers.set(keyHeader, formatKeyHeader(intent.key));
      return send(input, { ...init, headers });
    }
    // Nor before all of it is kept: the caller may change what it has passed.
    const parcel = { target, init: { ...init }, request, body: replayableBody(body), signal };
    return deliver(intent, createAttemptSender(parcel, send), tools).catch((error: unknown) => {
      const answer = answerOf(error);
      if (answer) return answer.response;
      throw DeliveryError.is(error) && error.reason === 'aborted' ? signal?.reason : error;
    });
  };
  return idempotent;
}

/** What is between the quotes; older clients write none. Whether it is valid, the server says. */
function keyIn({ headers }: OutgoingRequest): IdempotencyKey | undefined {
  const text = headers.get(keyHeader) ?? '';
  const quoted = /^"(.*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1');
  return ((quoted ?? text) || undefined) as IdempotencyKey | undefined;
}

/** A path on its own belongs to the page, or to whatever resolves it. */
function placeOf(url: string): { origin: string; pathname: string } {
  const [, origin = '', pathname = ''] = /^(\w+:\/\/[^/?#]*)?([^?#]*)/.exec(url) ?? [];
  return { origin, pathname };
}
