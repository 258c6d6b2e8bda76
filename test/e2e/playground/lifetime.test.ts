import { mintKey } from '@onceward/core';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { processesOf, processOf } from './processes-of.ts';
import { effectsOf, send, sendWhileHeld } from './send.ts';
import { openPlace, runPlayground, startPlayground } from './start-playground.ts';

/** However the playground ends, it leaves no process behind, and finds its data again. */
vi.setConfig({ testTimeout: 60_000 });
let place: Awaited<ReturnType<typeof openPlace>>;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.[Symbol.dispose]());

const start = () => startPlayground(place.environment);
const payment = ['pay', { to: 'bob', amountCents: 1200 }] as const;

test('SIGTERM ends everything with exit code 0, and a restart keeps keys and payments', async () => {
  const delivery = { user: 'alice', key: mintKey() };
  const playground = await start();
  const paid = await send(playground, payment, delivery);
  const endless = { user: 'bea', key: mintKey(), holdMs: 60_000 };
  const { held } = await sendWhileHeld(playground, payment, endless);
  playground.npm.kill('SIGTERM');
  expect(await playground.ended).toBe(0);
  expect(await held).toBeUndefined();
  expect(processesOf(place.environment)).toEqual([]);

  await using restarted = await start();
  const again = await send(restarted, payment, delivery);
  expect(again?.text).toBe(paid?.text);
  expect(again?.headers.get('idempotent-replayed')).toBe('true');
  expect((await effectsOf(restarted, 'alice')).pay).toBe(1);
  expect((await effectsOf(restarted, 'bea')).pay).toBe(0);
});

test('kill -9 of npm ends everything, and the next start has all that was committed', async () => {
  const playground = await start();
  await send(playground, payment, { user: 'carol' });
  playground.npm.kill('SIGKILL');

  await using restarted = await start();
  expect((await effectsOf(restarted, 'carol')).pay).toBe(1);
});

test('a PostgreSQL that is left behind is stopped by the next start', async () => {
  const playground = await start();
  await send(playground, payment, { user: 'dave' });
  // Both that would look after it, and neither has the time to.
  const supervisor = processOf(place.environment, 'start.mjs');
  process.kill(supervisor, 'SIGSTOP');
  process.kill(processOf(place.environment, 'database-process.js'), 'SIGKILL');
  process.kill(supervisor, 'SIGKILL');
  await playground.ended;
  expect(processOf(place.environment, 'postgres -D')).toBeGreaterThan(0);

  await using restarted = await start();
  expect(restarted.output()).toContain('left behind');
  expect((await effectsOf(restarted, 'dave')).pay).toBe(1);
});

test('a second playground on the same port or the same data is refused', async () => {
  await using playground = await start();
  using other = await openPlace();
  const { PORT } = place.environment;
  const samePort = runPlayground({ ...other.environment, PORT });
  const sameData = runPlayground({ ...place.environment, PORT: other.environment.PORT });
  expect(await Promise.all([samePort.ended, sameData.ended])).toEqual([1, 1]);
  expect(samePort.output()).toContain(`Port ${PORT} is in use`);
  expect(sameData.output()).toContain('another playground is running on the same data');
  expect(processesOf(other.environment)).toEqual([]);
  expect((await fetch(`${playground.url}/healthz`)).status).toBe(200);
});

test('of two that start at a time on a new folder, one runs and the other is refused', async () => {
  using one = await openPlace();
  using two = await openPlace();
  const { PLAYGROUND_DATA } = one.environment;
  await using first = runPlayground(one.environment);
  await using second = runPlayground({ ...two.environment, PLAYGROUND_DATA });
  const refused = await Promise.race([first, second].map((each) => each.ended.then(() => each)));
  expect(refused.output()).toContain('onceward playground: another playground is running');
  const { url } = refused === first ? second : first;
  await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), 15_000);
  expect(readdirSync(PLAYGROUND_DATA).filter((name) => name.includes('-new-'))).toEqual([]);
});
