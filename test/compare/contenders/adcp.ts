import { createIdempotencyStore, getIdempotencyMigration, pgBackend } from '@adcp/sdk/server';
import pg from 'pg';
import type { Contender } from './contender.ts';
import { readCall } from './read-call.ts';

/** Its store, called as its own server does, whose protocol is for the buying of advertisements. */
export const adcp: Contender = {
  name: '@adcp/sdk',
  packages: ['@adcp/sdk'],
  store: 'postgres',
  choices: {
    crash:
      'documented: executed again when its claim of two minutes is over, unless the handler looks',
    'slow owner': 'a claim of two minutes is never renewed, and nobody waited for its end',
    'failure after the effect': 'documented: a handler that throws is executed again',
    'late key': 'keys have no age',
  },
  async open({ url, handle }) {
    const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 2_000 });
    pool.on('error', () => undefined);
    // Two servers may start at once, which `if not exists` does not survive.
    await pool.query(`select pg_advisory_xact_lock(1); ${getIdempotencyMigration()}`);
    const store = createIdempotencyStore({ backend: pgBackend(pool) });
    return (request, response) => {
      const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(body));
      };
      void (async () => {
        const { key, ...call } = await readCall(request);
        if (!key) return answer(400, { code: 'INVALID_REQUEST' });
        const intent = { principal: call.user, key };
        const payload = { operation: call.operation, input: call.input };
        const found = await store.check({ ...intent, payload });
        if (found.kind === 'replay') return answer(200, found.response);
        if (found.kind === 'in-flight') return answer(409, {}, { 'retry-after': '1' });
        if (found.kind !== 'miss') return answer(422, { code: found.kind });
        try {
          const body = await handle(call);
          await store.save({ ...intent, payloadHash: found.payloadHash, response: body ?? null });
          answer(200, body ?? null);
        } catch (error) {
          await store.release(intent);
          throw error;
        }
      })().catch((error: unknown) => answer(500, String(error)));
    };
  },
};
