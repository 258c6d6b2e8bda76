import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Contestant } from '../interleave.ts';
import type { PeerOrder, PeerReport } from '../peer-process.ts';

/** A library in a process of its own. */
export interface RunningPeer extends AsyncDisposable {
  readonly fresh: Contestant;
  readonly replay: Contestant;
  /** Of 140 duplicates. */
  doubleExecutions(): Promise<number>;
}

export async function startPeer(name: string, url: string): Promise<RunningPeer> {
  // `run.mjs` has put it there.
  const child = fork(join(import.meta.dirname, 'peer-process.js'));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`Expected ${name} to go on, but its process ended`);
  });
  ended.catch(() => undefined);
  const ask = async (order: PeerOrder): Promise<number> => {
    const answered = once(child, 'message');
    child.send(order);
    const [report] = (await Promise.race([answered, ended])) as [PeerReport];
    if ('error' in report) throw new Error(`${name}: ${report.error}`);
    return report.value;
  };
  await ask({ kind: 'open', name, url });
  return {
    fresh: (count) => ask({ kind: 'fresh', count }),
    replay: (count) => ask({ kind: 'replay', count }),
    doubleExecutions: () => ask({ kind: 'double-executions' }),
    async [Symbol.asyncDispose]() {
      await ask({ kind: 'close' }).catch(() => undefined);
      child.kill();
    },
  };
}
