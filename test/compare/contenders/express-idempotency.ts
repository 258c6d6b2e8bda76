import { createClient } from '@redis/client';
import express from 'express';
import { IdempotencyService } from 'express-idempotency';
import adapter from 'express-idempotency-redis-adapter';
import type { Contender } from './contender.ts';
import { userOf } from './read-call.ts';

/** Its middleware on Express, and handlers that ask `isHit` as its documentation says. */
export const expressIdempotency: Contender = {
  name: 'express-idempotency',
  packages: ['express-idempotency', 'express-idempotency-redis-adapter'],
  store: 'redis',
  choices: {
    'no key': 'keys are optional',
    'late key': 'keys have no age',
    crash: 'there is no lease: a key is taken until it expires',
    'slow owner': 'there is no lease',
  },
  async open({ url, handle }) {
    const client = createClient({ url });
    client.on('error', () => undefined);
    await client.connect();
    const dataAdapter = new adapter.default({ connectionInstance: client as never, ttl: 86_400 });
    const service = new IdempotencyService({ dataAdapter: dataAdapter as never });
    const app = express();
    app.use(express.json({ strict: false }));
    app.use(service.provideMiddlewareFunction as never);
    app.post('/:operation', async (request, response) => {
      if (service.isHit(request as never)) return;
      const user = userOf(request.headers.authorization);
      const { operation } = request.params;
      response.send(await handle({ user, operation, input: request.body as unknown }));
    });
    // Express takes the status that the middleware has set, where it is one of an error.
    return app;
  },
};
