import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Call } from './contender.ts';

/** Reads a request for a contender that brings no framework along. */
export async function readCall(
  request: IncomingMessage,
): Promise<Call & { readonly key: string | undefined }> {
  const key = request.headers['idempotency-key'];
  return {
    user: userOf(request.headers.authorization),
    operation: (request.url ?? '/').slice(1),
    input: await json(request),
    key: typeof key === 'string' ? key : undefined,
  };
}

/** Who sends a request, by its token. */
export function userOf(authorization: string | undefined): string {
  return /^Bearer (\w+)/.exec(authorization ?? '')?.[1] ?? 'nobody';
}
