import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishedPackages, root } from '../tooling/packages.mjs';

/** What may be installed along with ours. Whoever adds to it says why in the pull request. */
const allowed: Record<string, readonly string[]> = {
  '@onceward/core': ['structured-headers'],
  '@onceward/cli': ['commander', 'pg'],
};

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly scripts?: Record<string, string>;
  readonly files?: readonly string[];
}

describe.each(publishedPackages())('S30: $name', ({ name, folder }) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;

  test('brings along nothing but ours and what is allowed', () => {
    const foreign = Object.keys(manifest.dependencies ?? {}).filter(
      (each) => !each.startsWith('@onceward/'),
    );
    expect(foreign.sort()).toEqual([...(allowed[name] ?? [])].sort());
  });

  test('runs nothing when it is installed, and publishes only what it lists', () => {
    for (const hook of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(manifest.scripts?.[hook]).toBeUndefined();
    }
    expect(manifest.files).toContain('dist');
  });
});

test('S30: everything in the lock file has a digest, and comes from no address of its own', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean; integrity?: string; resolved?: string }>;
  };
  const installed = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  expect(installed.length).toBeGreaterThan(500);
  for (const [path, { integrity, resolved }] of installed) {
    expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)]);
    expect(resolved ?? '').not.toMatch(/^(git|http:|file:)/);
  }
});
