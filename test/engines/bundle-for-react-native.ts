import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, mergeConfig, runBuild } from 'metro';
import { root } from '../tooling/packages.mjs';

/** Where Metro finds our packages, and which of their entries it takes. */
export interface BundledPackages {
  /** The folder that has `core` and `client`. @defaultValue their sources */
  readonly folder?: string;
  readonly conditions?: readonly string[];
  /** What is built, of this folder. @defaultValue the exercises */
  readonly entry?: string;
}

/** The exercises as one script that defines the global `onceward`, built as an app is: by Metro. */
export async function bundleForReactNative({
  folder = join(root, 'packages'),
  conditions = ['@onceward/source', 'react-native'],
  entry = 'exercises.ts',
}: BundledPackages = {}): Promise<string> {
  const cache = mkdtempSync(join(tmpdir(), 'onceward-metro-'));
  try {
    const out = join(cache, 'bundle.js');
    const installed = ['structured-headers', '@babel/runtime', 'metro-runtime'];
    const modules = Object.fromEntries([
      ...['core', 'client'].map((name) => [`@onceward/${name}`, join(folder, name)]),
      ...installed.map((name) => [name, join(root, 'node_modules', name)]),
    ]) as Record<string, string>;
    const config = mergeConfig(await loadConfig({ cwd: import.meta.dirname }), {
      projectRoot: import.meta.dirname,
      // Nothing else is looked at: all of `node_modules` would take longer than the rest.
      watchFolders: [import.meta.dirname, join(root, 'test/support'), ...Object.values(modules)],
      resolver: {
        extraNodeModules: modules,
        unstable_conditionNames: [...conditions],
        useWatchman: false,
      },
      fileMapCacheDirectory: cache,
      cacheStores: [],
      maxWorkers: 1,
      reporter: { update() {} },
    });
    await runBuild(config, {
      entry,
      platform: 'ios',
      dev: false,
      minify: false,
      out,
    });
    return readFileSync(out, 'utf8');
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}
