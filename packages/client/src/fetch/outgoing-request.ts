/** A request before it is sent, for those who choose its key. */
export interface OutgoingRequest {
  readonly url: string;
  /** In capitals. */
  readonly method: string;
  readonly headers: Headers;
  /** As it was passed; `undefined` also for a `Request`, whose body can be read only once. */
  readonly body: BodyInit | undefined;
}

/** What `fetch` was called with, in one shape. */
export function outgoingRequest(input: RequestInfo | URL, init: RequestInit): OutgoingRequest {
  const request = requestOf(input);
  return {
    url: typeof input === 'string' ? input : 'href' in input ? input.href : input.url,
    method: (init.method ?? request?.method ?? 'GET').toUpperCase(),
    headers: new Headers(init.headers ?? request?.headers),
    body: init.body ?? undefined,
  };
}

/** By its shape: there may be more than one class of this name, as with a polyfill. */
export function requestOf(input: RequestInfo | URL): Request | undefined {
  return typeof input === 'object' && 'clone' in input ? input : undefined;
}

/**
 * What every attempt is sent to, as it is now: an address can change while a retry waits, and the
 * body of a `Request` can be read once.
 */
export function keepTarget(
  input: RequestInfo | URL,
  { url, body }: OutgoingRequest,
): () => RequestInfo {
  const request = requestOf(input);
  if (!request) return () => url;
  // Its own body is not read where the call has another.
  if (body !== undefined) return () => request;
  if (request.bodyUsed) throw new TypeError('Expected a Request that has not been read');
  const kept = request.clone();
  return () => kept.clone();
}
