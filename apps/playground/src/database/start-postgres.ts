import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { connectTo } from './connect-to.ts';
import { lookAfter } from './look-after.ts';
import type { PostgresPlace } from './postgres-place.ts';

export interface RunningPostgres {
  /** Resolves with the last it said, should it end by itself. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL with the settings it comes with: every commit is on the disk before it is
 * confirmed.
 */
export async function startPostgres(place: PostgresPlace, port: number): Promise<RunningPostgres> {
  const server = spawnPostgres(place, port);
  const lastWords = collectLastWords(server);
  await once(server, 'spawn');
  const ended = once(server, 'exit').then(
    ([code, signal]) => `PostgreSQL ended with ${signal ?? code}\n${lastWords()}`,
  );
  const client = await firstConnection(server, () => connectTo(place.cluster, port));
  if (!client) throw new Error(await ended);
  await lookAfter(client);

  return {
    ended,
    async stop() {
      await client.end().catch(() => undefined);
      // The fast way: open transactions are rolled back, the data is written.
      server.kill('SIGINT');
      await ended;
    },
  };
}

function spawnPostgres({ binaries, cluster, user }: PostgresPlace, port: number): ChildProcess {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];
  const options = settings.flatMap((setting) => ['-c', setting]);
  return spawn(join(binaries, 'postgres'), ['-D', cluster, '-p', String(port), ...options], {
    ...user,
    cwd: cluster,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function collectLastWords(server: ChildProcess): () => string {
  const lines: string[] = [];
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lines.push(text.trimEnd());
    lines.splice(0, lines.length - 5);
  });
  return () => lines.join('\n');
}

/** `undefined` when the server ended before it was ready. */
async function firstConnection(
  server: ChildProcess,
  connect: () => Promise<pg.Client | undefined>,
): Promise<pg.Client | undefined> {
  while (server.exitCode === null && server.signalCode === null) {
    const client = await connect();
    if (client) return client;
    await pause(20);
  }
  return undefined;
}
