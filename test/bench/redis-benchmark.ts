import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Contestant } from './interleave.ts';
import { programOnPath } from './program-on-path.ts';

export interface RedisBenchmarkOptions {
  readonly clients: number;
  /** How many commands are under way on each connection. @defaultValue 1 */
  readonly pipeline?: number;
}

/** Where `redis-benchmark` is, which comes with Redis and knows what a server can do at most. */
export function findRedisBenchmark(): string | undefined {
  return programOnPath(['redis-benchmark', 'valkey-benchmark']);
}

/** Says how long so many commands take when nothing but Redis has any work with them. */
export function redisBenchmark(
  program: string,
  url: string,
  { clients, pipeline = 1 }: RedisBenchmarkOptions,
): (command: readonly string[]) => Contestant {
  const { hostname, port } = new URL(url);
  return (command) => async (count) => {
    const { stdout } = await promisify(execFile)(program, [
      ...['-h', hostname, '-p', port, '-n', String(count), '-c', String(clients)],
      ...['-P', String(pipeline), '-r', '1000000000', '--csv', ...command],
    ]);
    return (count / perSecond(stdout)) * 1_000_000;
  };
}

/** From the last line: `"SET key …","81234.50","0.4",…`. A command may contain commas. */
export function perSecond(csv: string): number {
  const row = csv.trim().split('\n').at(-1) ?? '';
  const cell = /^"(?:[^"]|"")*","([\d.]+)"/.exec(row)?.[1];
  if (cell === undefined) throw new Error('Expected a line of CSV from redis-benchmark');
  return Number(cell);
}
