import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
  const install = ['install', '--offline', '--ignore-scripts', '--legacy-peer-deps'];
  await npm(folder, [...install, ...archives.map((archive) => `./${archive}`)]);
  linkPeers(folder);
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

const typescript = join(root, 'node_modules/typescript/bin/tsc');

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

/** What npm installs along with our packages, with what that needs: installed here already. */
function foreignDependencies(): string[] {
  const found = new Set<string>();
  const visit = (folder: string) => {
    for (const name of Object.keys(manifest(folder).dependencies ?? {})) {
      const path = `node_modules/${name}`;
      if (name.startsWith('@onceward/') || found.has(path)) continue;
      found.add(path);
      visit(path);
    }
  };
  for (const { folder } of publishedPackages()) visit(folder);
  return [...found];
}

/**
 * What an application has anyway: the peers of our packages, also the optional ones because every
 * entry is tried, and what else the programs of the README import. Linked to what is installed
 * here, so that no registry is asked which versions of their dependencies go together.
 */
function linkPeers(folder: string): void {
  const peers = publishedPackages().flatMap((found) =>
    Object.keys(manifest(found.folder).peerDependencies ?? {}),
  );
  for (const name of new Set([...peers, 'pg', 'zod'])) {
    const place = join(folder, 'node_modules', name);
    if (name.startsWith('@onceward/') || existsSync(place)) continue;
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place, 'junction');
  }
}

function manifest(folder: string) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
  };
}

/** Vitest's own settings for Node.js, such as conditions, are not those of a consumer. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, NODE_PATH, ...rest } = process.env;
  void [NODE_OPTIONS, NODE_PATH];
  return rest;
}
