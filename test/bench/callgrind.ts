import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import type { Side } from './bench-server-process.ts';
import { programOnPath } from './program-on-path.ts';

/** Lines of 64 bytes that a processor had to fetch from behind its second cache. */
export interface Fetched {
  readonly code: number;
  readonly data: number;
}

/** A server in Valgrind, which counts what it reads: neither the clock nor neighbours matter. */
export interface CountedServer extends Disposable {
  /** Sends mutations that nobody counts: until code is compiled, it is other code. */
  warmUp(mutations: number): Promise<void>;
  /** What each of so many mutations fetched. */
  count(mutations: number): Promise<Fetched>;
}

/** Where the programs of Valgrind are, if both are there. */
export function findCallgrind(): Callgrind | undefined {
  const valgrind = programOnPath(['valgrind']);
  const control = programOnPath(['callgrind_control']);
  return valgrind && control ? { valgrind, control } : undefined;
}

export interface Callgrind {
  readonly valgrind: string;
  readonly control: string;
}

/** Caches like those of the processors that servers have today. */
const caches = ['--I1=32768,8,64', '--D1=49152,12,64', '--LL=1048576,16,64'];

export async function startCounted(side: Side, programs: Callgrind): Promise<CountedServer> {
  const temporary = temporaryFolder('callgrind');
  const output = join(temporary.folder, 'counts');
  // Nothing is counted before it is told to: it is ten times as fast until then.
  const flags = ['-q', '--tool=callgrind', '--cache-sim=yes', '--instr-atstart=no', ...caches];
  const server: BenchServer = await startBenchServer(side, {
    execPath: programs.valgrind,
    execArgv: [
      ...[...flags, `--callgrind-out-file=${output}`, `--log-file=${output}.log`],
      process.execPath,
    ],
  });
  const tell = (order: readonly string[]) =>
    promisify(execFile)(programs.control, [...order, `${server.pid}`]);
  const send = server.overHttp('keyed');
  let dumps = 0;
  return {
    async warmUp(mutations) {
      await send(mutations);
      await tell(['--instr=on']);
      // Its caches are empty by now.
      await send(200);
      await tell(['--zero']);
    },
    async count(mutations) {
      await send(mutations);
      await tell(['--dump']);
      dumps += 1;
      return fetchedIn(readFileSync(`${output}.${dumps}`, 'utf8'), mutations);
    },
    [Symbol.dispose]() {
      server[Symbol.dispose]();
      temporary[Symbol.dispose]();
    },
  };
}

/** Reads what Callgrind wrote: names of events, and their sums in the same order. */
export function fetchedIn(written: string, mutations: number): Fetched {
  const events = /^events: (.+)$/m.exec(written)?.[1]?.split(' ') ?? [];
  const sums = /^totals: (.+)$/m.exec(written)?.[1]?.split(' ') ?? [];
  const perMutation = (event: string) => {
    const sum = Number(sums[events.indexOf(event)]);
    if (!Number.isFinite(sum)) throw new Error(`Expected Callgrind to count ${event}`);
    return sum / mutations;
  };
  return { code: perMutation('ILmr'), data: perMutation('DLmr') + perMutation('DLmw') };
}
