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
  return (await createNativeRedis(settings)).start();
}

/** A server that can be killed and started again: its port and its folder stay the same. */
export interface NativeRedis {
  readonly port: number;
  /** Unless it is ended by a signal, its folder goes with it. */
  start(more?: readonly string[]): Promise<Service>;
}

export async function createNativeRedis(settings: readonly string[]): Promise<NativeRedis> {
  if (!nativeRedis) throw new Error('redis-server is not on PATH');
  const file = nativeRedis;
  const port = await lowFreePort();
  const home = mkdtempSync(join(tmpdir(), 'onceward-redis-'));
  const options = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', home],
    // A replica need not wait five seconds for others that might want the same.
    ...['--repl-diskless-sync-delay', '0'],
    ...settings,
  ];
  const start = (more: readonly string[] = []) =>
    startServer(
      { name: `Redis (${file})`, url: `redis://127.0.0.1:${port}` },
      {
        file,
        args: [...options, ...more],
        readyWhen: 'Ready to accept connections',
        stopSignal: 'SIGTERM',
        home,
      },
    );
  return { port, start };
}

/** A Cluster's nodes talk to each other 10,000 ports higher. */
async function lowFreePort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port < 55_536) return port;
  }
}
