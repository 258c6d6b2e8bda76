import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ts from 'typescript';
import { build, type Rolldown } from 'vite';
import { blocksOf, fileNameOf } from '../docs/documents.ts';
import { freePort } from '../services/free-port.ts';
import { root } from '../tooling/packages.mjs';

/** The programs of the root README, in a folder where our packages are installed. */
export interface ReadmePrograms {
  readonly names: readonly string[];
  /** Starts `serve.ts` as its reader would; resolves when it answers. */
  serve(databaseUrl: string): Promise<AsyncDisposable & { readonly url: string }>;
  /** `client.ts` as a browser loads it: one script. */
  bundleClient(): Promise<string>;
}

/** Writes every block that names itself to a file of that name, without its types. */
export function writeReadmePrograms(installed: string): ReadmePrograms {
  const folder = join(installed, 'readme');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const names: string[] = [];
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  for (const block of blocksOf({ path: 'README.md', text })) {
    const name = fileNameOf(block);
    if (name === undefined) continue;
    names.push(name);
    writeFileSync(join(folder, name.replace(/\.ts$/, '.js')), withoutTypes(block.code));
  }
  return {
    names,
    serve: (databaseUrl) => serve(folder, databaseUrl),
    bundleClient: () => bundleClient(folder),
  };
}

function withoutTypes(code: string): string {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

async function serve(folder: string, databaseUrl: string) {
  const port = await freePort();
  const { NODE_OPTIONS, ...rest } = process.env;
  void NODE_OPTIONS;
  const env = { ...rest, DATABASE_URL: databaseUrl, PORT: String(port) };
  const child = spawn(process.execPath, ['serve.js'], { cwd: folder, env, stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswered(url, child);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function untilAnswered(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(50);
  }
  throw new Error(`serve.ts of the README ended with ${child.exitCode}`);
}

async function bundleClient(folder: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    root: folder,
    build: {
      write: false,
      // Where `await` may stand outside of a function.
      target: 'es2022',
      rolldownOptions: { input: join(folder, 'client.js'), preserveEntrySignatures: 'strict' },
    },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code;
}
