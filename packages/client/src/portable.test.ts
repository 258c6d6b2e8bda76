import type { IdempotencyKey } from '@onceward/core';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, defaultClientConditions } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { serverThat, status } from '../test/delivery-fixture.ts';
import type * as client from './index.ts';

type Client = typeof client;

let script: string;

beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['@onceward/source', ...defaultClientConditions] },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, 'index.ts'), name: 'client', formats: ['iife'] },
    },
  });
  const [output] = Array.isArray(built) ? built : [];
  script = output?.output[0].code ?? '';
});

test('loads in an engine that has nothing but the language', () => {
  const { createDelivery } = load({});
  expect(createDelivery()).toHaveProperty('deliver');
});

test('delivers there, with a clock, randomness and keys that are handed in', async () => {
  const { createDelivery } = load({});
  const delivery = createDelivery({
    // Time flies: what is not cancelled at once happens at once.
    clock: { now: () => 0, setTimer: soon },
    random: () => 0.5,
    newKey: () => 'a-key-of-this-engine' as IdempotencyKey,
  });
  const server = serverThat(status(503), 'paid');
  await expect(delivery.deliver({ operation: 'pay' }, server.send)).resolves.toBe('paid');
  expect(server.seen.map(({ key, signal }) => [key, signal])).toEqual([
    ['a-key-of-this-engine', null],
    ['a-key-of-this-engine', null],
  ]);
});

test('says what is missing where there is no source of keys', async () => {
  const { createDelivery } = load({});
  const paid = createDelivery().deliver({ operation: 'pay' }, serverThat('paid').send);
  await expect(paid).rejects.toThrow(/`crypto.getRandomValues`/);
});

function load(globals: object): Client {
  const context = createContext({ ...globals }) as { client?: Client };
  runInContext(script, context);
  if (!context.client) throw new Error('The script defined nothing');
  return context.client;
}

function soon(callback: () => void): () => void {
  const immediate = setImmediate(callback);
  return () => clearImmediate(immediate);
}
