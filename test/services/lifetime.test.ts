import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';

// Each test is a whole run of its own.
vi.setConfig({ testTimeout: 90_000 });

test.for(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a run that is ended by %s leaves no server and no folder behind',
  async (signal) => {
    await using run = startRun('endless');
    const [, postgresUrl = '', redisUrl = ''] = await run.printed(/services: (\S+) (\S+)/);
    expect(await Promise.all([answers(postgresUrl), answers(redisUrl)])).toEqual([true, true]);

    run.process.kill(signal);
    await run.ended;
    await vi.waitFor(
      async () => {
        const left = await Promise.all([answers(postgresUrl), answers(redisUrl)]);
        expect({ left, folders: run.folders() }).toEqual({ left: [false, false], folders: [] });
      },
      { timeout: 20_000, interval: 50 },
    );
  },
);

test('a run with a failing test stops its servers, too', async () => {
  await using run = startRun('failing');
  expect(await run.ended).toBe(1);
  expect(run.output()).toContain('Testing against PostgreSQL');
  expect(run.folders()).toEqual([]);
});

test('a server that is missing fails the run with one clear sentence', async () => {
  await using run = startRun('failing', { REDIS_URL: 'redis://:secret@127.0.0.1:1' });
  expect(await run.ended).toBe(1);
  expect(run.output()).toContain(
    'A service the tests need is missing. ' +
      'REDIS_URL names a server at 127.0.0.1:1 that does not answer.',
  );
  expect(run.output()).not.toContain('secret');
  expect(run.output()).not.toContain('a test that fails');
  expect(run.folders()).toEqual([]);
});

/** Vitest as a process of its own, with a folder for temporary files that should end up empty. */
function startRun(fixture: string, environment: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'onceward-run-'));
  chmodSync(home, 0o755);
  const { DATABASE_URL, REDIS_URL, ...inherited } = process.env;
  void [DATABASE_URL, REDIS_URL];
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--config', join(import.meta.dirname, 'fixtures/run.config.ts'), fixture],
    { env: { ...inherited, TMPDIR: home, NO_COLOR: '1', ...environment } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return {
    process: child,
    ended: once(child, 'close').then(([code]) => code as number | null),
    output: () => output,
    folders: () => readdirSync(home).filter((name) => name.startsWith('onceward-')),
    printed: (pattern: RegExp) =>
      vi.waitFor(() => pattern.exec(output) ?? Promise.reject(new Error(output)), 60_000),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');

async function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
