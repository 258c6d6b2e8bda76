import { createClient } from '@redis/client';
import type { Request, Response } from 'express';
import { pay, payment, type PeerEntry } from './peer.ts';

/**
 * Its middleware, without a server around it. It saves an answer after it was sent, and nobody
 * waits for that; here it counts, as it does for everybody else.
 */
export const expressIdempotency: PeerEntry = {
  name: 'express_idempotency',
  library: 'express-idempotency',
  driver: '@redis/client',
  store: 'redis',
  async open(url) {
    const { IdempotencyService } = await import('express-idempotency');
    const { default: adapter } = await import('express-idempotency-redis-adapter');
    const client = createClient({ url });
    await client.connect();
    const dataAdapter = new adapter.default({ connectionInstance: client as never, ttl: 86_400 });
    /** By key: it may execute duplicates, and each of them is saved. */
    const saving = new Map<string, (() => void)[]>();
    const update = dataAdapter.update.bind(dataAdapter);
    dataAdapter.update = async (resource) => {
      await update(resource);
      const [isSaved, ...others] = saving.get(resource.idempotencyKey) ?? [];
      if (others.length > 0) saving.set(resource.idempotencyKey, others);
      else saving.delete(resource.idempotencyKey);
      isSaved?.();
    };
    const service = new IdempotencyService({ dataAdapter: dataAdapter as never });
    return {
      async deliver(key) {
        const { request, response } = exchange(key);
        await service.provideMiddlewareFunction(request, response, () => undefined);
        if (service.isHit(request)) return;
        const isSaved = new Promise<void>((resolve) => {
          saving.set(key, [...(saving.get(key) ?? []), resolve]);
        });
        response.send(await pay(payment));
        await isSaved;
      },
      [Symbol.asyncDispose]: () => client.disconnect(),
    };
  },
};

/** What the middleware touches of a request and of its response. */
function exchange(key: string): { request: Request; response: Response } {
  const headers: Record<string, string> = { 'idempotency-key': key };
  const request = {
    ...{ headers, body: payment, method: 'POST', query: {}, url: '/pay' },
    get: (name: string) => headers[name],
  };
  const response = {
    statusCode: 200,
    setHeader: () => response,
    getHeaders: () => ({}),
    get: () => undefined,
    status: () => response,
    send: () => response,
  };
  return { request: request as never, response: response as never };
}
