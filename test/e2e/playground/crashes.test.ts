import { idempotencyHeaders, idempotencyLink, statusAwareFetch } from '@onceward/client/trpc';
import { mintKey } from '@onceward/core';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { setTimeout as pause } from 'node:timers/promises';
import superjson from 'superjson';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AppRouter } from '../../../apps/playground/src/trpc/app-router.ts';
import { processOf } from './processes-of.ts';
import { type Answer, type Delivery, effectsOf, send, sendWhileHeld } from './send.ts';
import { openPlace, type Playground, startPlayground } from './start-playground.ts';

/** The server dies in the middle of a mutation, and its client tries again. */
vi.setConfig({ testTimeout: 60_000 });
let place: Awaited<ReturnType<typeof openPlace>>;
let playground: Playground;
beforeAll(async () => {
  place = await openPlace();
  playground = await startPlayground(place.environment);
});
afterAll(async () => {
  await playground?.[Symbol.asyncDispose]();
  place?.[Symbol.dispose]();
});

const payment = ['pay', { to: 'bob', amountCents: 1200 }] as const;

test('a crash inside a payment undoes it, and the next attempt pays', async () => {
  const delivery = { user: 'alice', key: mintKey(), fault: 'crash' };
  expect(await send(playground, payment, delivery)).toBeUndefined();
  const answer = await untilAnswered(payment, delivery);
  expect(answer.headers.get('idempotent-replayed')).toBe(null);
  expect((await effectsOf(playground, 'alice')).pay).toBe(1);
});

test('crash after crash, each payment is made once', async () => {
  for (let crash = 0; crash < 8; crash++) {
    await untilAnswered(payment, { user: 'bea', key: mintKey(), fault: 'crash' });
  }
  expect((await effectsOf(playground, 'bea')).pay).toBe(8);
});

test('kill -9 of the server inside a payment undoes it, and the next attempt pays', async () => {
  const delivery = { user: 'carol', key: mintKey() };
  const { held } = await sendWhileHeld(playground, payment, { ...delivery, holdMs: 60_000 });
  process.kill(processOf(place.environment, 'server-process.js'), 'SIGKILL');
  expect(await held).toBeUndefined();
  expect(await untilAnswered(payment, delivery)).toMatchObject({ status: 200 });
  expect((await effectsOf(playground, 'carol')).pay).toBe(1);
});

test('kill -9 of PostgreSQL is survived, and what was committed is there', async () => {
  const delivery = { user: 'erin', key: mintKey() };
  const paid = await send(playground, payment, delivery);
  const killed = processOf(place.environment, 'postgres -D');
  process.kill(killed, 'SIGKILL');
  await vi.waitFor(
    async () => {
      // The children of the killed one answer for a moment longer.
      expect(processOf(place.environment, 'postgres -D')).not.toBe(killed);
      expect((await send(playground, payment, delivery))?.text).toBe(paid?.text);
    },
    { timeout: 15_000, interval: 50 },
  );
});

test('kill -9 of both at a time is survived, also when PostgreSQL takes long to come back', async () => {
  const delivery = { user: 'grete', key: mintKey() };
  const paid = await send(playground, payment, delivery);
  const keeper = processOf(place.environment, 'database-process.js');
  process.kill(keeper, 'SIGSTOP');
  for (const command of ['postgres -D', 'server-process.js']) {
    process.kill(processOf(place.environment, command), 'SIGKILL');
  }
  // Longer than five starts that fail one after the other.
  await pause(6_000);
  process.kill(keeper, 'SIGCONT');
  expect(await untilAnswered(payment, delivery)).toMatchObject({ text: paid?.text });
});

test('a crash between the steps of a booking charges once, and others follow their effect', async () => {
  const user = 'dave';
  const [booking, message, name] = [
    ['book', { trip: 'Vienna', amountCents: 4900 }],
    ['notify', { to: 'bob', text: 'hello' }],
    ['rename', { name: 'Dave' }],
  ] as const;
  const deliveries = [booking, message, name].map((mutation) => ({
    mutation,
    delivery: { user, key: mintKey(), fault: 'crash' },
  }));
  for (const { mutation, delivery } of deliveries) {
    expect(await send(playground, mutation, delivery)).toBeUndefined();
    await untilHealthy();
  }
  expect(await effectsOf(playground, user)).toEqual({ pay: 0, book: 1, notify: 1, rename: 1 });

  // Now the leases of the dead server have to run out.
  const answers = await Promise.all(
    deliveries.map(({ mutation, delivery }) => untilAnswered(mutation, delivery)),
  );
  expect(answers).toMatchObject([
    { status: 200, result: { trip: 'Vienna' } },
    { status: 409, refusal: 'IDEMPOTENCY_OUTCOME_UNKNOWN' },
    { status: 200, result: { name: 'Dave' } },
  ]);
  // Only what is safe to repeat was repeated.
  expect(await effectsOf(playground, user)).toEqual({ pay: 0, book: 1, notify: 1, rename: 2 });
});

test('our own client gets through every fault, and pays once', async () => {
  const user = 'frank';
  const faults = 'status=503,crash,drop,delay=10,hold=10';
  const events: string[] = [];
  const client = createTRPCClient<AppRouter>({
    links: [
      // Three faults, and the moments while the server starts again.
      idempotencyLink({ maxAttempts: 20, onEvent: ({ kind }) => void events.push(kind) }),
      httpBatchLink({
        url: `${playground.url}/trpc`,
        transformer: superjson,
        headers: idempotencyHeaders(() => ({ authorization: `Bearer ${user}`, 'x-fault': faults })),
        fetch: statusAwareFetch(),
      }),
    ],
  });
  const receipt = await client.pay.mutate({ to: 'bob', amountCents: 300 });
  expect(receipt.paidAt).toBeInstanceOf(Date);
  expect(await effectsOf(playground, user)).toMatchObject({ pay: 1 });
  expect(await client.payments.query()).toMatchObject([{ to: 'bob', amountCents: 300 }]);
  expect(events.filter((kind) => kind === 'attempt-failed').length).toBeGreaterThanOrEqual(3);
});

/** Sends it again until there is an answer that is not "in progress". */
async function untilAnswered(
  mutation: Parameters<typeof send>[1],
  delivery: Delivery,
): Promise<Answer> {
  return vi.waitFor(
    async () => {
      const answer = await send(playground, mutation, delivery);
      if (!answer || answer.refusal === 'IDEMPOTENCY_IN_PROGRESS') throw new Error('not yet');
      return answer;
    },
    { timeout: 15_000, interval: 20 },
  );
}

async function untilHealthy(): Promise<void> {
  await vi.waitFor(() => fetch(`${playground.url}/healthz`), { timeout: 10_000, interval: 20 });
}
