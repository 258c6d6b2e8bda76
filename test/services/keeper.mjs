// Runs one server on behalf of a test run and never outlives it.
//
//   run ──fork──▶ keeper ──spawn──▶ server
//       ◀─ready──        ◀─ output ─
//       ──(exits, is killed, disconnects)──▶ stops the server, deletes its folder, ends
//       ──a signal──▶ sends it to the server and ends with it, leaving the folder
//
// The channel to the run closes however the run ends, SIGKILL included, which no exit handler sees.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** @typedef {import('./service-process.ts').ServerCommand} ServerCommand */

process.once('message', (/** @type {ServerCommand} */ command) => keep(command));
process.once('disconnect', () => process.exit(0));
// Ctrl-C reaches every process of the terminal: the server is stopped once, in order, when the run ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

/** @param {ServerCommand} command */
function keep({ file, args, options, readyWhen, stopSignal, home }) {
  const server = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let ready = false;
  const listen = (/** @type {Buffer} */ chunk) => {
    if (ready) return;
    printed += chunk.toString();
    if (!printed.includes(readyWhen)) return;
    ready = true;
    tell({ kind: 'ready', pid: server.pid ?? 0 });
  };
  server.stdout.on('data', listen);
  server.stderr.on('data', listen);

  server.once('error', (error) => end(`it could not be started (${error.message})`));
  server.once('exit', (code, signal) => end(`it ended with ${signal ?? code}: ${printed.trim()}`));

  let folder = home;
  process.removeAllListeners('disconnect');
  process.once('disconnect', () => server.kill(stopSignal));
  process.once('message', (/** @type {NodeJS.Signals} */ signal) => {
    folder = undefined;
    server.kill(signal);
  });

  /** @param {string} reason */
  function end(reason) {
    if (folder) rmSync(folder, { recursive: true, force: true });
    if (!ready) tell({ kind: 'failed', reason });
    if (process.connected) process.disconnect();
    process.exit(0);
  }
}

/** @param {import('./service-process.ts').KeeperMessage} message */
function tell(message) {
  if (process.connected) process.send?.(message);
}
