import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publishedPackages, root } from '../tooling/packages.mjs';

const run = promisify(execFile);

/** An empty project somewhere else, with our packages installed from the tarballs npm would get. */
export interface PackedProject extends AsyncDisposable {
  readonly folder: string;
  /** The files of each tarball, by the name of its package. */
  readonly tarballs: ReadonlyMap<string, readonly string[]>;
  /** Runs a script with Node.js, without any condition or loader of this repository. */
  node(...args: string[]): Promise<{ stdout: string; stderr: string }>;
  /** Runs a binary that was installed, by its name. */
  npx(...args: string[]): Promise<{ stdout: string; stderr: string }>;
}

/** Builds and packs every package and installs the tarballs, without asking a registry. */
export async function packProject(): Promise<PackedProject> {
  await buildFromScratch();
  const folder = mkdtempSync(join(tmpdir(), 'onceward-packed-'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
  const ours = publishedPackages();
  const folders = [...ours.map((found) => found.folder), ...foreignDependencies()];

  const packed = await npm(root, [
    'pack',
    '--json',
    '--ignore-scripts',
    `--pack-destination=${folder}`,
    ...folders.map((path) => `./${path}`),
  ]);
  const names = new Set(ours.map(({ name }) => name));
  const tarballs = new Map(
    (JSON.parse(packed) as { name: string; files: { path: string }[] }[])
      .filter(({ name }) => names.has(name))
      .map(({ name, files }) => [name, files.map(({ path }) => path)]),
  );

  const archives = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  await npm(folder, ['install', '--offline', '--ignore-scripts', ...archives.map((a) => `./${a}`)]);
  return {
    folder,
    tarballs,
    node: (...args) => run(process.execPath, args, { cwd: folder, env: plainEnvironment() }),
    npx: (...args) =>
      run('npx', ['--offline', '--no', '--', ...args], { cwd: folder, env: plainEnvironment() }),
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const typescript = join(root, 'node_modules/typescript/bin/tsc');

/** What an earlier build left of a file that was since renamed would be packed, too. */
async function buildFromScratch(): Promise<void> {
  for (const { folder } of publishedPackages()) {
    rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
  }
  try {
    const args = [typescript, '-b', '--force', 'tsconfig.build.json'];
    await run(process.execPath, args, { cwd: root });
    await run(process.execPath, ['packages/console/build-page.mjs'], { cwd: root });
  } catch (error) {
    const { stdout } = error as { stdout: string };
    throw new Error(`The packages cannot be built:\n${stdout}`, { cause: error });
  }
}

async function npm(cwd: string, args: string[]): Promise<string> {
  const { stdout } = await run('npm', args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/**
 * What our packages need besides each other, with what that needs: installed here already.
 *
 * Of ours also the optional peers, because every entry is tried; of theirs only what they insist on.
 */
function foreignDependencies(): string[] {
  const found = new Set<string>();
  const visit = (folder: string, { ours }: { ours: boolean }) => {
    const { dependencies, peerDependencies = {}, peerDependenciesMeta = {} } = manifest(folder);
    const peers = Object.keys(peerDependencies).filter(
      (name) => ours || !peerDependenciesMeta[name]?.optional,
    );
    for (const name of [...Object.keys(dependencies ?? {}), ...peers]) {
      const path = `node_modules/${name}`;
      if (name.startsWith('@onceward/') || found.has(path)) continue;
      found.add(path);
      visit(path, { ours: false });
    }
  };
  for (const { folder } of publishedPackages()) visit(folder, { ours: true });
  return [...found];
}

function manifest(folder: string) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
    peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  };
}

/** Vitest's own settings for Node.js, such as conditions, are not those of a consumer. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, NODE_PATH, ...rest } = process.env;
  void [NODE_OPTIONS, NODE_PATH];
  return rest;
}
