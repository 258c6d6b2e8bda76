import { again, newRequest, success } from '@onceward/conformance/requests';
import { createClient as createClient5 } from 'node-redis-5';
import { createClient as createClient6 } from 'redis';
import { describe, expect, test } from 'vitest';
import { openTcpLine } from '../../../test/support/tcp-line.ts';
import { explainSkip, nativeRedis } from '../test/native-redis.ts';
import { connected, type TestClient, versions } from '../test/node-redis.ts';
import { openNodeRedisStore } from '../test/open-node-redis-store.ts';
import { startPair } from '../test/start-pair.ts';
import type { NodeRedisClient } from './node-redis-client.ts';
import { RedisStoreError } from './redis-store-error.ts';
import { redisStore } from './redis-store.ts';

describe.each(versions)('with node-redis %i', (version) => {
  test('a write that no replica confirms is refused, and a reservation undone', async () => {
    const waitForReplicas = { count: 1, timeoutMs: 20 };
    await using opened = await openNodeRedisStore(version, { waitForReplicas });
    const { store, client, prefix } = opened;
    const notReplicated = { name: 'RedisStoreError', code: 'NOTREPLICATED' };
    const request = newRequest();
    await expect(store.reserve(request)).rejects.toMatchObject(notReplicated);
    expect(await store.find(request)).toMatchObject({ state: 'released', attempt: 1 });

    const started = newRequest();
    await redisStore(client, { prefix }).reserve(started);
    const writes = [() => store.renew(started, 60_000), () => store.complete(started, success())];
    for (const write of writes) await expect(write()).rejects.toMatchObject(notReplicated);
  });

  explainSkip(`that replicas are waited for with node-redis ${version}`);
  describe.runIf(nativeRedis)('and a replica', () => {
    test('what was acknowledged is there after the replica is promoted', async () => {
      await using pair = await startPair();
      await using opened = await openNodeRedisStore(version, { url: pair.url, waitForReplicas });
      const { store } = opened;
      const [reserved, completed] = [newRequest(), newRequest()];
      for (const request of [reserved, completed]) {
        expect(await store.reserve(request)).toMatchObject({ kind: 'reserved' });
      }
      expect(await store.complete(completed, success())).toBe('completed');
      const many = Array.from({ length: 20 }, () => newRequest());
      const granted = await Promise.all(many.map((request) => store.reserve(request)));
      expect(granted.map(({ kind }) => kind)).toEqual(many.map(() => 'reserved'));

      await pair.replica.replicaof('NO', 'ONE');
      const promoted = redisStore(pair.replica, { prefix: opened.prefix });
      expect(await promoted.reserve(again(completed))).toMatchObject({ kind: 'completed' });
      for (const request of [reserved, ...many]) {
        expect(await promoted.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
      }
    });

    test('a connection that is lost before the WAIT is answered fails the write', async () => {
      await using pair = await startPair();
      await using line = await openTcpLine(() => pair.port);
      await using near = await connected(version, { url: `redis://127.0.0.1:${line.port}` });
      const store = redisStore(near.client, { waitForReplicas });
      await store.reserve(newRequest());
      let lost = 0;
      line.onSending = () => (lost++ === 0 ? 'is-not-answered' : 'arrives');
      await expect(store.reserve(newRequest())).rejects.toMatchObject({ name: 'RedisStoreError' });
      // And it is itself again on the next connection.
      expect(await store.reserve(newRequest())).toMatchObject({ kind: 'reserved' });
    });

    test.each([
      ['', () => undefined],
      [', nor behind something urgent', (client: NodeRedisClient) => sendUrgently(client)],
    ])(
      'a WAIT that is left over for the next connection does not count%s',
      async (_, meanwhile) => {
        await using pair = await startPair();
        await using line = await openTcpLine(() => pair.port);
        await using near = await connected(version, { url: `redis://127.0.0.1:${line.port}` });
        const store = redisStore(near.client, { waitForReplicas });
        const request = newRequest();
        await store.reserve(request);
        // Answered when its first bytes were read, then lost: so the WAIT was not written yet.
        let pieces = 0;
        line.onSending = () => {
          if (pieces++ > 0) return 'arrives';
          meanwhile(near.client);
          line.freeze();
          setImmediate(() => setImmediate(() => line.cut()));
          return { answerInstead: Buffer.from('*1\r\n$5\r\nsaved\r\n'), when: 'before' };
        };
        const saving = store.saveProgress(request, Buffer.alloc(tooMuchAtOnce));
        const error: unknown = await saving.catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(RedisStoreError);
        expect(error).toMatchObject({ code: 'CONNECTIONLOST' });
      },
    );
  });
});

const urgent = { maintNotifications: 'disabled', commandOptions: { asap: true } } as const;

test.runIf(nativeRedis).each<[number, (url: string) => TestClient]>([
  [5, (url) => createClient5({ url, ...urgent })],
  [6, (url) => createClient6({ url, ...urgent })],
])('a write comes before its WAIT if all is urgent with node-redis %i', async (_, make) => {
  await using pair = await startPair();
  const client = make(pair.url);
  await client.connect();
  const store = redisStore(client, { waitForReplicas: { count: 1, timeoutMs: 500 } });
  await expect.poll(() => store.reserve(newRequest()).catch(String)).toMatchObject({ attempt: 1 });
  // Or a WAIT that comes too soon would wait for that one.
  await client.sendCommand(['WAIT', '1', '5000']);
  const [, pid] = /process_id:(\d+)/.exec(await pair.replica.info('server')) ?? [];
  process.kill(Number(pid), 'SIGSTOP');
  const reserving = await store.reserve(newRequest()).catch((error: unknown) => error);
  process.kill(Number(pid), 'SIGCONT');
  await client.disconnect();
  expect(reserving).toMatchObject({ code: 'NOTREPLICATED' });
});

const waitForReplicas = { count: 1, timeoutMs: 5_000 };

function sendUrgently(client: NodeRedisClient): void {
  client.sendCommand(['PING'], { asap: true }).catch(() => undefined);
}

/** More than the buffers of a connection hold while nobody reads. */
const tooMuchAtOnce = 32 * 1024 * 1024;
