import type { HTTPHeaders, Operation } from '@trpc/client';
import { trpcKeysHeader } from '../header-names.ts';
import { attemptOf } from './attempt-slot.ts';

/** What tRPC's HTTP links call their `headers` with: one operation, or those of a batch. */
export type HeadersRequest = { op: Operation } | { opList: readonly Operation[] };

/** Your own headers, in any form that tRPC takes. */
export type OwnHeaders<TRequest> =
  HTTPHeaders | ((request: TRequest) => HTTPHeaders | Promise<HTTPHeaders>);

/**
 * Puts the keys on the request. For `headers` of `httpLink`, `httpBatchLink` and
 * `httpBatchStreamLink`; your own headers go inside.
 *
 * @example
 * ```ts
 * httpBatchLink({ url, headers: idempotencyHeaders(() => ({ authorization: token() })) });
 * ```
 */
export function idempotencyHeaders<TRequest extends HeadersRequest = HeadersRequest>(
  own: OwnHeaders<TRequest> = {},
): (request: TRequest) => Promise<HTTPHeaders> {
  return async (request) => {
    // Before anything of the user's can fail: an attempt that has not taken its key is not repeated.
    const keys = keyHeaders('opList' in request ? request.opList : [request.op]);
    const given = typeof own === 'function' ? await own(request) : own;
    const entries = Symbol.iterator in given ? [...given] : Object.entries(given);
    // Two spellings of one name would be sent as two values.
    const ours = String(Object.keys(keys)).toLowerCase();
    const others = entries.filter(([name]) => name.toLowerCase() !== ours);
    return { ...Object.fromEntries(others), ...keys };
  };
}

/** A batch gets a header of its own: one `Idempotency-Key` for several mutations says nothing. */
function keyHeaders(operations: readonly Operation[]): Record<string, string> {
  const attempts = operations.map(attemptOf);
  if (attempts.length === 1) return attempts[0]?.headers() ?? {};
  // As tRPC numbers the inputs of a batch; JSON leaves out those without a key.
  const keys = JSON.stringify({ ...attempts.map((attempt) => attempt?.takeKey()) });
  return keys === '{}' ? {} : { [trpcKeysHeader]: keys };
}
