import { again, newRequest, success } from '@onceward/conformance/requests';
import { inspect } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { freePort } from '../../../test/services/free-port.ts';
import { startRedis } from '../../../test/services/redis.ts';
import { create, versions } from '../test/node-redis.ts';
import { openNodeRedisStore } from '../test/open-node-redis-store.ts';
import { recordKey } from './record-key.ts';
import type { NodeRedisClient } from './node-redis-client.ts';
import { redisStore } from './redis-store.ts';

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

describe.each(versions)('with node-redis %i', (version) => {
  test('bytes come back as they were stored, alone and together', async () => {
    await using opened = await openNodeRedisStore(version);
    const { store } = opened;
    const requests = Array.from({ length: 9 }, () => newRequest());
    await Promise.all(requests.map((request) => store.reserve(request)));
    const outcome = { kind: 'success', answer: everyByte } as const;
    const completing = requests.map((request) =>
      store.complete(request, { ...success(), outcome }),
    );
    expect(await Promise.all(completing)).toEqual(requests.map(() => 'completed'));
    const replays = requests.map((request) => store.reserve(again(request)));
    for (const replay of [...(await Promise.all(replays)), await store.peek(again(requests[0]!))]) {
      expect(replay).toMatchObject({ kind: 'completed', outcome: { kind: 'success' } });
      const { answer } = (replay as { outcome: { answer: Uint8Array } }).outcome;
      expect(Buffer.from(answer)).toEqual(everyByte);
    }
  });

  test('a server is verified, swept and counted', async () => {
    await using opened = await openNodeRedisStore(version);
    const { store } = opened;
    await store.verify();
    const requests = Array.from({ length: 5 }, () => newRequest({ leaseMs: 1 }));
    for (const request of requests) await store.reserve(request);
    const released = { kind: 'not-executed', quietMs: 0 } as const;
    await store.doubt(requests[0]!);
    await store.settle(requests[0]!, released);
    expect((await store.stats()).records).toMatchObject({ released: 1, 'in-progress': 4 });
    let swept = 0;
    let cursor: string | undefined;
    do {
      const page = await store.sweep({ limit: 1_000, cursor });
      swept += page.released + page.unknown;
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(swept).toBe(4);
  });

  test('a server that forgot its scripts is sent them again', async () => {
    await using opened = await openNodeRedisStore(version);
    const request = newRequest();
    await opened.store.reserve(request);
    await opened.redis.script('FLUSH');
    expect(await opened.store.complete(request, success())).toBe('completed');
  });

  test('a record that cannot be read fails its own call, not those that travel with it', async () => {
    await using opened = await openNodeRedisStore(version);
    const list = newRequest();
    await opened.redis.rpush(recordKey(list, opened.prefix), 'not ours');
    const requests = Array.from({ length: 8 }, () => newRequest()).toSpliced(5, 0, list);
    const results = await Promise.allSettled(
      requests.map((request) => opened.store.reserve(request)),
    );
    for (const [at, result] of results.entries()) {
      const expected = {
        status: 'rejected',
        reason: { name: 'RedisStoreError', code: 'WRONGTYPE' },
      };
      expect(result).toMatchObject(at === 5 ? expected : { value: { kind: 'reserved' } });
    }
  });

  test('a full server starts nothing and replays what it has', async () => {
    await using server = await startRedis();
    await using opened = await openNodeRedisStore(version, { url: server.url });
    const { store, redis } = opened;
    const completed = newRequest();
    await store.reserve(completed);
    await store.complete(completed, success());
    await redis.config('SET', 'maxmemory', '1');
    const oom = { name: 'RedisStoreError', code: 'OOM' };
    await expect(store.reserve(newRequest())).rejects.toMatchObject(oom);
    expect(await store.reserve(again(completed))).toMatchObject({ kind: 'completed' });
  });

  test('an error shows no key, scope or step, however it is printed', async () => {
    await using opened = await openNodeRedisStore(version);
    const { client, prefix } = opened;
    const refused: NodeRedisClient = {
      isOpen: true,
      isReady: true,
      multi: () => client.multi(),
      on: (event, listener) => client.on(event, listener),
      select: (database) => client.select(database),
      sendCommand: (args, replies) =>
        client.sendCommand(['nosuchcommand', 'secret-argument', ...args], replies),
    };
    const store = redisStore(refused, { prefix });
    const request = newRequest({ scope: 'secret-scope' });
    for (const failing of [
      store.reserve(request),
      store.saveProgress(request, Buffer.from('secret-step')),
    ]) {
      const error: unknown = await failing.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'RedisStoreError', code: 'ERR' });
      const printed = inspect(error, { depth: 9, showHidden: true });
      expect(printed).toContain('unknown command');
      expect(printed).not.toContain('secret');
      expect(printed).not.toContain(request.key);
    }
  });

  test('a client says to connect it, before it was connected and after it was disconnected', async () => {
    const client = create(version, { url: inject('redisUrl') });
    const waitForReplicas = { count: 1, timeoutMs: 20 };
    const stores = [redisStore(client), redisStore(client, { waitForReplicas })];
    const notConnected = { name: 'RedisStoreError', code: 'NOTCONNECTED' };
    const refuse = async () => {
      for (const store of stores) {
        await expect(store.reserve(newRequest())).rejects.toMatchObject(notConnected);
        await expect(store.verify()).rejects.toThrow('`connect()`');
      }
    };
    await refuse();
    await client.connect();
    await stores[0]!.verify();
    await client.disconnect();
    await refuse();
  });

  test('without an offline queue nothing waits for a server that is down', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const client = create(version, { url, disableOfflineQueue: true });
    const connecting = client.connect().catch(() => undefined);
    const waitForReplicas = { count: 1, timeoutMs: 20 };
    for (const store of [redisStore(client), redisStore(client, { waitForReplicas })]) {
      await expect(store.reserve(newRequest())).rejects.toMatchObject({ code: 'OFFLINE' });
    }
    await client.disconnect();
    await connecting;
  });
});
