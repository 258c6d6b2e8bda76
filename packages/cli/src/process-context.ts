import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { CliContext, Output } from './cli-context.ts';
import { CliFailure } from './cli-failure.ts';
import { exitCode } from './exit-code.ts';

/** The context of this process, for the binary. */
export function processContext(): CliContext {
  const { stdin, stdout, stderr } = process;
  // Whoever reads may have seen enough: `onceward keys --all | head`.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCode.ok : exitCode.failed);
  });
  const signal = interruption();
  return {
    env: process.env,
    stdout: outputOf(stdout),
    stderr: outputOf(stderr),
    ask: stdin.isTTY && stderr.isTTY ? (question) => askPerson(question, signal) : undefined,
    readFile: (path) => readFile(path, 'utf8'),
    now: Date.now,
    signal,
  };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    // Not there at all when the stream is a pipe or a file.
    isTTY: stream.isTTY === true,
  };
}

/** Whoever presses Ctrl-C instead of answering ends it there; Ctrl-D is no answer, and so no yes. */
async function askPerson(question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on('SIGINT', () => process.exit(exitCode.interrupted));
  try {
    return await terminal.question(question, { signal });
  } catch (cause) {
    if (!signal.aborted) return '';
    throw new CliFailure(exitCode.interrupted, 'Nothing was changed.', { cause });
  } finally {
    terminal.close();
  }
}

/** The first Ctrl-C asks for an end after the current step, the second one does not ask. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(exitCode.interrupted);
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  return controller.signal;
}
