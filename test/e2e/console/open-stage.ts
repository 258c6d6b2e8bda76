import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newRequest } from '@onceward/conformance/requests';
import { createConsole, type ConsoleOptions } from '@onceward/console';
import { mintKey } from '@onceward/core';
import type { Completion, ReserveRequest, Store } from '@onceward/core/store';
import { nodeHandler } from '@onceward/server/fetch';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { launchChromium } from '../../engines/chromium.ts';
import { openPostgres, type PostgresFixture } from '../../support/open-postgres.ts';

/** A console on a database, and a browser to look at it with. */
export interface Stage extends AsyncDisposable {
  readonly url: string;
  readonly browser: Browser;
  readonly postgres: PostgresFixture;
  readonly store: ReturnType<PostgresFixture['store']>;
}

export async function openStage(options: Partial<ConsoleOptions> = {}): Promise<Stage> {
  const postgres = await openPostgres();
  const served = await serve({ postgres: postgres.pool, schema: postgres.schema, ...options });
  const browser = await launchChromium();
  return {
    ...{ url: served.url, browser, postgres, store: postgres.store() },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await served.close();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

/** The console on Node's own server, as an application mounts it. */
export async function serve(options: Partial<ConsoleOptions>) {
  const handler = createConsole({
    authorize: () => ({ name: 'grace', may: ['read', 'settle', 'payloads'] }),
    showPayloads: true,
    ...options,
  });
  const server = createServer(nodeHandler(handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/console`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A view of the console, without complaints in the browser's console when the test ends. */
export async function openView(
  { browser, url }: Pick<Stage, 'browser' | 'url'>,
  view: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: { width: 1440, height: 1000 }, locale: 'en-GB', timezoneId: 'UTC' },
    ...options,
  });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    // Of a request that is refused the browser itself says so, whatever the page makes of it.
    const refused = message.text().startsWith('Failed to load resource');
    if (refused && message.location().url.includes('/api/')) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(`${url}#/${view}`);
  await page.locator('h1').waitFor();
  return page;
}

/** A request whose key was minted so long ago. */
export function minted(agoMs: number, changes: Partial<ReserveRequest> = {}): ReserveRequest {
  const keyTimestampMs = Date.now() - agoMs;
  const digits = keyTimestampMs.toString(16).padStart(12, '0');
  const key = `${digits.slice(0, 8)}-${digits.slice(8)}${mintKey().slice(13)}`;
  return newRequest({ key: key as ReserveRequest['key'], keyTimestampMs, ...changes });
}

export async function complete(
  store: Store,
  request: ReserveRequest,
  kind: 'success' | 'failure' = 'success',
): Promise<void> {
  const answer = Buffer.concat([Buffer.from([1, 0, 1]), Buffer.from('{"paymentId":"pay_4711"}')]);
  const completion: Completion = {
    outcome: { kind, answer: new Uint8Array(answer) },
    answerRetentionMs: 24 * 60 * 60_000,
  };
  await store.reserve(request);
  await store.complete(request, completion);
}

export async function leaveUnknown(store: Store, request: ReserveRequest): Promise<ReserveRequest> {
  await store.reserve(request);
  await store.doubt(request);
  return request;
}

/** An hour of a shop: payments, some that failed, and what its operator has to look at. */
export async function playShop({ store, postgres }: Stage): Promise<void> {
  const minute = 60_000;
  const orders = Array.from({ length: 240 }, (_, at) => {
    const agoMs = ((at * 7_919) % 3_500) * 1_000;
    const operation = ['orders.pay', 'orders.pay', 'trips.book', 'profile.rename'][at % 4];
    return { request: minted(agoMs, { operation: operation ?? '', scope: `user-${at % 9}` }), at };
  });
  await Promise.all(
    orders.map(({ request, at }) =>
      complete(store, request, at % 11 === 0 ? 'failure' : 'success'),
    ),
  );
  for (const [agoMs, operation] of [
    [31 * minute, 'messages.send'],
    [18 * minute, 'payouts.create'],
    [4 * minute, 'messages.send'],
  ] as const) {
    const about = { operation, scope: 'user-4', onStaleLease: 'unknown' } as const;
    await leaveUnknown(store, minted(agoMs, about));
  }
  await store.reserve(minted(9 * minute, { operation: 'trips.book', scope: 'user-2', leaseMs: 1 }));
  await store.reserve(minted(2_000, { operation: 'orders.pay', scope: 'user-7', leaseMs: 60_000 }));
  await postgres.pool.query(`update ${postgres.schema}.lookups
                                set dead_at = clock_timestamp(), looks = 6
                              where operation = 'payouts.create'`);
  for (const [task, state] of [
    ['send-receipt', 4],
    ['send-receipt', 4],
    ['notify-warehouse', 1],
    ['notify-warehouse', 3],
  ] as const) {
    await addJob(postgres, { task, state });
  }
}

export async function addJob(
  { pool, schema }: PostgresFixture,
  { task, state }: { task: string; state: 1 | 3 | 4 },
): Promise<void> {
  await pool.query(
    `insert into ${schema}.outbox_jobs
            (key, task, payload, created_at, state, turn, attempt, available_at, finished_at,
             last_error)
     values ($3, $1, '{"order":4711,"to":"ada@example.com"}',
             clock_timestamp() - interval '7 minutes', $2, 2,
             case $2::int2 when 1 then 0 else 5 end, clock_timestamp(),
             case when $2::int2 > 1 then clock_timestamp() end,
             case when $2::int2 = 4 then 'connect ECONNREFUSED mail.internal:25' end)`,
    [task, state, `${mintKey()}${randomBytes(2).toString('hex')}`],
  );
}
