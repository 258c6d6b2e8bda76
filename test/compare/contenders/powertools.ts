import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { CachePersistenceLayer } from '@aws-lambda-powertools/idempotency/cache';
import { createClient } from '@redis/client';
import { type Call, type Contender } from './contender.ts';
import { readCall } from './read-call.ts';

/**
 * A function that is idempotent in the `key` of its event, in a process that lives for longer than a
 * Lambda does, on its layer for Redis.
 */
export const powertools: Contender = {
  name: '@aws-lambda-powertools/idempotency',
  packages: ['@aws-lambda-powertools/idempotency'],
  store: 'redis',
  choices: {
    'second user': 'the application chooses what of an event is the key',
    'wrong body': 'payload validation is opt-in',
    'wrong type': 'payload validation is opt-in',
    'hidden member': 'payload validation is opt-in',
    'other operation': 'the application chooses what of an event is the key',
    'failure after the effect': 'documented: a function that throws is executed again',
    crash: 'documented: executed again when the time of the function is over',
    'in progress': 'it throws, and what a client is told is up to the application',
    'no key': 'without a key a function is executed, unless `throwOnNoIdempotencyKey` is set',
    'late key': 'keys have no age',
  },
  async open({ url, leaseMs, handle }) {
    const client = createClient({ url });
    client.on('error', () => undefined);
    await client.connect();
    const config = new IdempotencyConfig({ eventKeyJmesPath: 'key' });
    const context = { getRemainingTimeInMillis: () => leaseMs };
    config.registerLambdaContext(context as Parameters<typeof config.registerLambdaContext>[0]);
    const run = makeIdempotent(
      ({ user, operation, input }: Call) => handle({ user, operation, input }),
      {
        persistenceStore: new CachePersistenceLayer({ client: client as never }),
        config,
      },
    ) as (event: Call & { key: string | undefined }) => Promise<unknown>;
    return (request, response) => {
      void (async () => {
        const body = await run(await readCall(request));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      })().catch((error: unknown) => {
        response.writeHead(error instanceof IdempotencyAlreadyInProgressError ? 409 : 500);
        response.end(String(error));
      });
    };
  },
};
