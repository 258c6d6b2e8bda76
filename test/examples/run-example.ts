import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/**
 * Runs an example by the command in its README, which must end by itself and with 0.
 *
 * @returns the lines it printed
 */
export async function runExample(folder: string): Promise<string[]> {
  const [program = '', ...args] = commandOf(folder);
  const { stdout } = await promisify(execFile)(program, args, { cwd: root, timeout: 100_000 });
  // npm prints which script it runs.
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('> '));
}

/** The command in the README of an example. What is installed already is not installed again. */
export function commandOf(folder: string): string[] {
  const readme = readFileSync(join(root, 'examples', folder, 'README.md'), 'utf8');
  const [, command] = /^```sh\nnpm ci && (npm start --workspace \S+)\n```/m.exec(readme) ?? [];
  if (command === undefined) throw new Error(`examples/${folder}/README.md names no command`);
  return command.split(' ');
}
