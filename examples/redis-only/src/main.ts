import { idempotentFetch } from '@onceward/client/fetch';
import { formatKeyHeader, headerNames, mintKey } from '@onceward/core';
import { Redis } from 'ioredis';
import { startRedis } from '../../../test/services/redis.ts';
import { openGateway } from '../../../test/support/faulty-gateway.ts';
import { listen } from '../../../test/support/listen.ts';
import { createLikes } from './likes.ts';

export async function main(): Promise<void> {
  await using service = await startRedis();
  const redis = new Redis(service.url);
  await using server = await listen(createLikes(redis));
  await using network = await openGateway(server.url);

  const send = idempotentFetch({
    onEvent: (event) => {
      if (event.kind === 'attempt-waiting') console.log(`  no answer (${event.why}), sent again`);
    },
  });
  const headers = { [headerNames.key]: formatKeyHeader(mintKey()) };
  const like = async () => {
    const response = await send(`${network.url}/posts/7/likes`, { method: 'POST', headers });
    const replayed = response.headers.get(headerNames.replayed) === 'true';
    console.log(`  ${replayed ? 'replayed' : 'executed'}: ${await response.text()}`);
  };

  console.log('Ada likes a post, and the first answer is lost:');
  network.failNext('reset after');
  await like();
  console.log('Somebody else likes it, and Ada clicks again:');
  await redis.sadd('/posts/7/likes', 'bob');
  await like();
  console.log('Redis forgets everything, as in a crash, and Ada clicks again:');
  await redis.flushall();
  await like();
  redis.disconnect();
}
