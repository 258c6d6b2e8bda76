import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { build, defaultServerConditions } from 'vite';
import { mutantPlugin } from '../mutants/runner/plugin.mjs';
import { withoutBatching } from '../unbatched/without-batching.ts';

/** A TypeScript program as one file that Node.js runs. */
export interface BundledFile extends Disposable {
  readonly path: string;
}

export interface BundleOptions {
  /** A `package.json` for the program to find beside itself. */
  readonly manifest?: string;
  /** Bundles what npm installed as well: it starts sooner. @defaultValue `false` */
  readonly whole?: boolean;
  /** The folder of installed packages it finds first. @defaultValue that of this repository */
  readonly modules?: string;
}

/** Bundles a program with the sources of our packages; what npm installed stays where it is. */
export async function bundleFile(
  entry: string,
  { manifest, whole = false, modules }: BundleOptions = {},
): Promise<BundledFile> {
  // Among the installed packages, so that the bundle finds them.
  const packages =
    modules ?? join(createRequire(import.meta.url).resolve('vite/package.json'), '../..');
  mkdirSync(packages, { recursive: true });
  const folder = mkdtempSync(join(packages, '.onceward-'));
  const outDir = join(folder, 'dist');
  await build({
    configFile: false,
    logLevel: 'warn',
    // What a run changes in the sources is changed in the processes that it starts, too.
    plugins: [mutantPlugin(process.env), withoutBatching(process.env)],
    ssr: {
      noExternal: whole || [/^@onceward\//],
      resolve: { conditions: ['@onceward/source', ...defaultServerConditions] },
    },
    build: { ssr: entry, outDir, emptyOutDir: true, target: 'node20' },
  });
  if (manifest !== undefined) cpSync(manifest, join(dirname(outDir), 'package.json'));
  return {
    path: join(outDir, basename(entry).replace(/\.ts$/, '.js')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
