import { readdirSync, readFileSync } from 'node:fs';
import type { Environment } from './start-playground.ts';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Every process of one playground, dead parents or not. Its data folder gives them away: all but
 * PostgreSQL have it in their environment, and PostgreSQL in its command. Linux only.
 */
export function processesOf({ PLAYGROUND_DATA }: Environment): FoundProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .map((name) => ({ pid: Number(name), command: read(`/proc/${name}/cmdline`), name }))
    .filter(({ command, name }) =>
      `${command}${read(`/proc/${name}/environ`)}`.includes(PLAYGROUND_DATA),
    )
    .map(({ pid, command }) => ({ pid, command: command.replaceAll('\0', ' ').trim() }));
}

/** The one process of a playground whose command contains this. */
export function processOf(environment: Environment, command: string): number {
  const found = processesOf(environment).find((each) => each.command.includes(command));
  if (!found) throw new Error(`There is no ${command}`);
  return found.pid;
}

/** Empty for a process that has just ended, or is somebody else's. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
