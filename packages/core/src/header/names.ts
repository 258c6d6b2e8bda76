/** The headers that carry idempotency, spelled as they are sent. */
export const headerNames = {
  /** Request: the key, as an RFC 9651 String. */
  key: 'Idempotency-Key',
  /** Request: the keys of a tRPC batch, as JSON by batch index. */
  trpcKeys: 'trpc-idempotency-keys',
  /** Response: `true` when the answer was stored by an earlier attempt. */
  replayed: 'Idempotent-Replayed',
  /** Response: until when the same key gets the same answer, as an HTTP date. */
  expires: 'Idempotency-Expires',
  /** Response: how long to wait before the next attempt. */
  retryAfter: 'Retry-After',
} as const;

/**
 * What a server must list so that browsers on other origins can use idempotency at all.
 *
 * A request header that is not allowed fails the whole request as "Failed to fetch", which a
 * client cannot tell from being offline; a response header that is not exposed reads as absent.
 */
export const corsHeaders = {
  allow: [headerNames.key, headerNames.trpcKeys],
  expose: [headerNames.replayed, headerNames.expires, headerNames.retryAfter, 'Date'],
} as const;
