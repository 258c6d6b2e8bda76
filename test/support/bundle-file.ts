import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { build, defaultServerConditions } from 'vite';

/** A TypeScript program as one file that Node.js runs. */
export interface BundledFile extends Disposable {
  readonly path: string;
}

/** Bundles a program with the sources of our packages; what npm installed stays where it is. */
export async function bundleFile(
  entry: string,
  { manifest }: { manifest?: string } = {},
): Promise<BundledFile> {
  // Among the installed packages, so that the bundle finds them.
  const packages = join(createRequire(import.meta.url).resolve('vite/package.json'), '../..');
  const folder = mkdtempSync(join(packages, '.onceward-'));
  const outDir = join(folder, 'dist');
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: {
      noExternal: [/^@onceward\//],
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
