import { execFileSync } from 'node:child_process';
import { programOnPath } from './program-on-path.ts';

/**
 * Keeps a process and all its threads on one core until this is disposed of. Where there is no
 * `taskset`, or no such core, it stays where the system puts it.
 *
 * A process that moves between cores leaves its caches behind, and works more for the same request.
 */
export function keepOnCore(core: number, pid = process.pid): Disposable {
  const before = coresOf(pid);
  const bound = before !== undefined && bind(pid, `${core}`);
  return {
    [Symbol.dispose]() {
      if (bound) bind(pid, before);
    },
  };
}

/** As a list: `0-3,7`. */
function coresOf(pid: number): string | undefined {
  return taskset(['--cpu-list', '--pid', `${pid}`])
    ?.split(':')
    .pop()
    ?.trim();
}

function bind(pid: number, cores: string): boolean {
  return taskset(['--all-tasks', '--cpu-list', '--pid', cores, `${pid}`]) !== undefined;
}

/** What it says; `undefined` if it is not there, or cannot do that. */
function taskset(flags: readonly string[]): string | undefined {
  const program = programOnPath(['taskset']);
  try {
    return program && execFileSync(program, flags, { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return undefined;
  }
}
