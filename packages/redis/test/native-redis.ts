import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../test/services/free-port.ts';
import { type Service, startServer } from '../../../test/services/service-process.ts';

/** Where `redis-server` is, for what Valkey in WebAssembly cannot do: replicas and Clusters. */
export const nativeRedis = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => [join(folder, 'redis-server'), join(folder, 'valkey-server')])
  .find((path) => existsSync(path));

/** Says why tests are missing from a run, instead of leaving it to be noticed. */
export function explainSkip(what: string): void {
  if (!nativeRedis) console.warn(`Not tested: ${what}. It needs redis-server on PATH.`);
}

export async function startNativeRedis(settings: readonly string[]): Promise<Service> {
  if (!nativeRedis) throw new Error('redis-server is not on PATH');
  const port = await lowFreePort();
  const home = mkdtempSync(join(tmpdir(), 'onceward-redis-'));
  const options = ['--bind', '127.0.0.1', '--save', '', '--dir', home, ...settings];
  return startServer(
    { name: `Redis (${nativeRedis})`, url: `redis://127.0.0.1:${port}` },
    {
      file: nativeRedis,
      args: ['--port', String(port), ...options],
      readyWhen: 'Ready to accept connections',
      stopSignal: 'SIGTERM',
      home,
    },
  );
}

/** A Cluster's nodes talk to each other 10,000 ports higher. */
async function lowFreePort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port < 55_536) return port;
  }
}
