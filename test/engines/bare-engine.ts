import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';

/** An engine with the language, `print`, and little else. */
export interface BareEngine {
  readonly name: string;
  /** Why it cannot be tried here. */
  readonly absent?: string;
  /** Runs a script; resolves with what it prints. */
  run(script: string): Promise<string>;
}

export const bareEngines: readonly BareEngine[] = [
  engineAt(hermesBinary(), {
    name: 'Hermes',
    args: ['-w'],
    absent: `hermes-engine-cli has no binary for ${process.platform} on ${process.arch}`,
  }),
  engineAt(onPath('jsc'), { name: 'JavaScriptCore', args: [], absent: 'there is no jsc on PATH' }),
  {
    name: 'V8',
    run: (script) =>
      new Promise(
        (resolve) => void runInNewContext(script, { print: (text: string) => resolve(text) }),
      ),
  },
];

function engineAt(
  binary: string | undefined,
  { name, args, absent }: { name: string; args: string[]; absent: string },
): BareEngine {
  if (!binary) return { name, absent, run: () => Promise.reject(new Error(absent)) };
  return {
    name,
    async run(script) {
      const folder = mkdtempSync(join(tmpdir(), 'onceward-engine-'));
      try {
        const path = join(folder, 'script.js');
        writeFileSync(path, script);
        return execFileSync(binary, [...args, path], { encoding: 'utf8' });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function hermesBinary(): string | undefined {
  const folders: Record<string, string> = {
    'linux-x64': 'linux64-bin/hermes',
    'darwin-x64': 'osx-bin/hermes',
    'darwin-arm64': 'osx-bin/hermes',
    'win32-x64': 'win64-bin/hermes.exe',
  };
  const binary = folders[`${process.platform}-${process.arch}`];
  if (!binary) return undefined;
  const manifest = createRequire(import.meta.url).resolve('hermes-engine-cli/package.json');
  const path = join(dirname(manifest), binary);
  if (!existsSync(path)) throw new Error(`hermes-engine-cli lacks ${binary}: run \`npm ci\``);
  return path;
}
