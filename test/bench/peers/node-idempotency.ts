import { pay, payment, type PeerEntry } from './peer.ts';

/** Its core, as its adapters for frameworks call it: before the handler, and after it. */
export const nodeIdempotency: PeerEntry = {
  name: 'node_idempotency',
  library: '@node-idempotency/core',
  driver: '@redis/client',
  store: 'redis',
  async open(url) {
    const { Idempotency } = await import('@node-idempotency/core');
    const { RedisStorageAdapter } = await import('@node-idempotency/storage-adapter-redis');
    const storage = new RedisStorageAdapter({ url });
    await storage.connect();
    const idempotency = new Idempotency(storage, { cacheTTLMS: 86_400_000 });
    return {
      async deliver(key) {
        const headers = { 'idempotency-key': key };
        const request = { headers, path: '/pay', body: payment, method: 'POST' };
        const known = await idempotency.onRequest(request);
        if (known) return known.body;
        const body = await pay(payment);
        await idempotency.onResponse(request, { body });
        return body;
      },
      [Symbol.asyncDispose]: () => storage.disconnect(),
    };
  },
};
