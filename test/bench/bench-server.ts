import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { type BenchCall, type CallKind, callsOf, sendAtOnce } from './bench-calls.ts';
import type { Order, Report, Side } from './bench-server-process.ts';
import type { Contestant } from './interleave.ts';
import { keepOnCore } from './own-core.ts';
import { stayAwake } from './stay-awake.ts';

/** What a process is started with, where that is not Node.js itself. */
export interface Launcher {
  readonly execPath: string;
  readonly execArgv: string[];
}

/** A process that serves one side of a comparison. */
export interface BenchServer extends Disposable {
  readonly pid: number;
  /** Calls the framework's `fetch` within that process: what is measured is its own time. */
  inProcess(kind: CallKind): Contestant;
  /** Calls it from here, through sockets that are kept open: what is measured is its work for it. */
  overHttp(kind: CallKind): Contestant;
}

export async function startBenchServer(side: Side, launcher?: Launcher): Promise<BenchServer> {
  const child = fork(join(import.meta.dirname, 'bench-server-process.js'), { ...launcher });
  const heard = async <Kind extends Report>(): Promise<Kind> => {
    const [report] = (await Promise.race([once(child, 'message'), ended])) as [Kind];
    return report;
  };
  const ended = once(child, 'exit').then(() => {
    throw new Error('Expected the measured process to go on, but it ended');
  });
  // Also ends when it is told to, and then nobody listens.
  ended.catch(() => undefined);
  child.send(side);
  const { port } = await heard<Extract<Report, { port: number }>>();
  // Not on that of this process, which is busy as well. It ends there.
  keepOnCore(1, child.pid);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const work = async () => {
    child.send('say-work' satisfies Order);
    return (await heard<Extract<Report, { micros: number }>>()).micros;
  };

  return {
    pid: child.pid ?? NaN,
    inProcess: (kind) => async (count) => {
      child.send({ kind, count } satisfies Order);
      const { micros } = await heard<Extract<Report, { micros: number }>>();
      return micros;
    },
    overHttp: (kind) => async (count) => {
      const calls = callsOf(side.framework, kind, count);
      await work();
      using _awake = stayAwake();
      await sendAtOnce(calls, (call) => send(call, { port, agent }));
      return await work();
    },
    [Symbol.dispose]() {
      agent.destroy();
      child.kill();
    },
  };
}

const connections = 8;

function send(call: BenchCall, { port, agent }: { port: number; agent: Agent }): Promise<number> {
  const { path, method, headers, body } = call;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
