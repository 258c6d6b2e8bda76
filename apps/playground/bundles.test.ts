import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepBundle, removeOldBundles } from './bundles.mjs';

test('bundles that nobody has used for a day are removed, and those in use are kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onceward-bundles-'));
  try {
    const ages = { old: 25, 'old-and-half-written': 25, 'old-and-in-use': 25, recent: 23, new: 0 };
    for (const [name, hours] of Object.entries(ages)) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'supervisor.js'), '');
      const usedAt = new Date(Date.now() - hours * 3_600_000);
      utimesSync(join(folder, name), usedAt, usedAt);
    }
    keepBundle(join(folder, 'old-and-in-use'));
    removeOldBundles(folder);
    expect(readdirSync(folder).toSorted()).toEqual(['new', 'old-and-in-use', 'recent']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
