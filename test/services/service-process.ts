import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A server that belongs to this run and is stopped by it. */
export interface Service extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  /** Ends it by a signal and leaves its folder, for another one to start in. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** How to run a server: what the keeper is told. */
export interface ServerCommand {
  file: string;
  args: string[];
  options?: { cwd?: string; env?: NodeJS.ProcessEnv; uid?: number; gid?: number };
  /** What the server prints once it accepts connections. */
  readyWhen: string;
  stopSignal: NodeJS.Signals;
  /** A folder to delete at the end. */
  home?: string;
}

/** What the keeper answers. */
export type KeeperMessage = { kind: 'ready'; pid: number } | { kind: 'failed'; reason: string };

/** Starts a server and waits until it is ready; rejects with what it printed when it ends instead. */
export async function startServer(
  { name, url }: { name: string; url: string },
  command: ServerCommand,
): Promise<Service> {
  // A process group of its own: Ctrl-C ends the run, and the end of the run ends the server.
  const keeper = fork(new URL('./keeper.mjs', import.meta.url), {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  keeper.send(command);
  const [message] = (await once(keeper, 'message')) as [KeeperMessage];
  if (message.kind === 'failed') throw new Error(`${name} did not start: ${message.reason}`);

  const endedBy = async (end: () => void) => {
    if (keeper.exitCode !== null || keeper.signalCode !== null) return;
    const ended = once(keeper, 'exit');
    if (keeper.connected) end();
    await ended;
  };
  const stop = () => endedBy(() => keeper.disconnect());
  const end = (signal: NodeJS.Signals) => endedBy(() => keeper.send(signal));
  return { name, url, pid: message.pid, stop, end, [Symbol.asyncDispose]: stop };
}
