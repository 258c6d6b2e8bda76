import { randomBytes } from 'node:crypto';
import { newRequest } from '@onceward/conformance/requests';
import type { Completion, ReserveRequest } from '@onceward/core/store';
import { migrate, type PostgresStore, postgresStore } from '@onceward/postgres';
import pg from 'pg';
import { inject } from 'vitest';
import type { AuditedAction } from '../src/audited.ts';
import type { ConsoleOptions } from '../src/console-options.ts';
import { createConsole } from '../src/create-console.ts';
import type { Operator } from '../src/guards/operator.ts';

export const site = 'https://admin.example.com';

/** Somebody who may do everything. */
export const grace: Operator = { name: 'grace', may: ['read', 'settle', 'payloads'] };

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly json: ReturnType<typeof JSON.parse>;
}

/** What a browser on the console's own page does. */
export interface Browser {
  get(path: string): Promise<Answered>;
  /** With everything that a POST needs, but for what is changed: `null` leaves it out. */
  post(path: string, body: object, changes?: Record<string, string | null>): Promise<Answered>;
}

export function browse(handler: (request: Request) => Promise<Response>): Browser {
  const get = async (path: string) => answered(await handler(new Request(`${site}${path}`)));
  return {
    get,
    async post(path, body, changes = {}) {
      const { json } = await get('/console/api/session');
      const headers = new Headers({
        origin: site,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        'x-onceward-token': json?.token ?? '',
      });
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) headers.delete(name);
        else headers.set(name, value);
      }
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      return answered(await handler(new Request(`${site}${path}`, request)));
    },
  };
}

async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

export interface OpenConsole extends AsyncDisposable {
  readonly schema: string;
  readonly pool: pg.Pool;
  readonly store: PostgresStore<pg.PoolClient>;
  /** What the audit hook was told. */
  readonly audit: AuditedAction[];
  /** What went wrong. */
  readonly errors: unknown[];
  console(options?: Partial<ConsoleOptions>): Browser;
  handler(options?: Partial<ConsoleOptions>): (request: Request) => Promise<Response>;
}

/** Tables in a schema of one test's own. */
export async function openConsole(): Promise<OpenConsole> {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 6 });
  pool.on('error', () => undefined);
  await migrate(pool, { schema });
  const audit: AuditedAction[] = [];
  const errors: unknown[] = [];
  const handler = (options: Partial<ConsoleOptions> = {}) =>
    createConsole({
      ...{ postgres: pool, schema, authorize: () => grace },
      audit: (action) => void audit.push(action),
      onError: (error) => void errors.push(error),
      ...options,
    });
  return {
    ...{ schema, pool, audit, errors, handler },
    store: postgresStore(pool, { schema }),
    console: (options) => browse(handler(options)),
    async [Symbol.asyncDispose]() {
      await pool.query(`drop schema "${schema}" cascade`);
      await pool.end();
    },
  };
}

type Records = Pick<OpenConsole, 'store'>;

export async function addUnknown({ store }: Records, changes: Partial<ReserveRequest> = {}) {
  const request = newRequest(changes);
  await store.reserve(request);
  await store.doubt(request);
  return request;
}

/** An answer as the engine stores it: format, version, JSON. */
export async function addCompleted(
  { store }: Records,
  answer: string,
  changes: Partial<ReserveRequest> = {},
) {
  const request = newRequest(changes);
  const bytes = Buffer.concat([Buffer.from([1, 0, 1]), Buffer.from(answer)]);
  const completion: Completion = {
    outcome: { kind: 'success', answer: new Uint8Array(bytes) },
    answerRetentionMs: 24 * 60 * 60_000,
  };
  await store.reserve(request);
  await store.complete(request, completion);
  return request;
}

/** Writes a job as a relay leaves it behind. */
export async function addJob(
  { pool, schema }: Pick<OpenConsole, 'pool' | 'schema'>,
  { task = 'ship', state = 'dead' }: { task?: string; state?: 'waiting' | 'dead' } = {},
): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into "${schema}".outbox_jobs
            (key, task, payload, created_at, state, turn, attempt, available_at, token, finished_at,
             last_error)
     values (gen_random_uuid()::text, $1, '"secret payload"', clock_timestamp(), $2, 2, 3,
             clock_timestamp(), gen_random_uuid(), case when $2::int2 = 4 then clock_timestamp() end,
             case when $2::int2 = 4 then 'the printer is on fire' end)
     returning id::text`,
    [task, state === 'dead' ? 4 : 1],
  );
  return rows[0]?.id ?? '';
}
