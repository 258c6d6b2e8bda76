import { Idempotency, IdempotencyError } from '@node-idempotency/core';
import { RedisStorageAdapter } from '@node-idempotency/storage-adapter-redis';
import type { ServerResponse } from 'node:http';
import type { Contender } from './contender.ts';
import { readCall } from './read-call.ts';

/**
 * Its core, called before and after the handler, with the statuses of its adapter for Express. The
 * adapters themselves could not be installed here.
 */
export const nodeIdempotency: Contender = {
  name: '@node-idempotency/core',
  packages: ['@node-idempotency/core', '@node-idempotency/storage-adapter-redis'],
  store: 'redis',
  choices: {
    'no key': 'keys are optional unless `enforceIdempotency` is set',
    'late key': 'keys have no age',
    crash: 'there is no lease: a key is taken until it expires, after a day by default',
    'slow owner': 'there is no lease',
    'in progress': 'it throws, and what a client is told is up to the adapter',
  },
  async open({ url, handle }) {
    const storage = new RedisStorageAdapter({ url });
    storage['client']?.on?.('error', () => undefined);
    await storage.connect();
    const idempotency = new Idempotency(storage, {});
    return (request, response) => {
      void (async () => {
        const { user, operation, input } = await readCall(request);
        const asked = {
          headers: request.headers,
          path: request.url ?? '/',
          body: input as Record<string, unknown>,
          method: 'POST',
        };
        const known = await idempotency.onRequest(asked);
        if (known?.error) return answer(response, 500, { error: known.error });
        if (known) return answer(response, 200, known.body);
        try {
          const body = await handle({ user, operation, input });
          await idempotency.onResponse(asked, { body, additional: { statusCode: 200 } });
          answer(response, 200, body);
        } catch (error) {
          // As its adapters do: every answer is kept, a failure too.
          await idempotency.onResponse(asked, { error: String(error) });
          throw error;
        }
      })().catch((error: unknown) => answer(response, statusOf(error), { error: String(error) }));
    };
  },
};

function statusOf(error: unknown): number {
  if (!(error instanceof IdempotencyError)) return 500;
  if (String(error.code) === 'REQUEST_IN_PROGRESS') return 409;
  return String(error.code) === 'IDEMPOTENCY_FINGERPRINT_MISSMATCH' ? 422 : 400;
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
