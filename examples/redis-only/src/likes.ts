import type { RequestListener } from 'node:http';
import { redisStore } from '@onceward/redis';
import { createIdempotency, nodeHandler } from '@onceward/server/fetch';
import type { Redis } from 'ioredis';

/** `POST /posts/7/likes`, on the Redis that also keeps the keys. */
export function createLikes(redis: Redis): RequestListener {
  const once = createIdempotency({
    store: redisStore(redis),
    // Nobody signs in here. In an application this is the id of whoever did.
    scope: () => 'ada',
  });

  const like = once.route(
    // Adding to a set twice is adding once. With `external` this would not start: Redis may forget.
    { operation: 'likes.add', effect: 'natural' },
    async (request) => {
      console.log('    the handler runs');
      const { pathname } = new URL(request.url);
      await redis.sadd(pathname, 'ada');
      return Response.json({ likes: await redis.scard(pathname) });
    },
  );
  return nodeHandler(like);
}
