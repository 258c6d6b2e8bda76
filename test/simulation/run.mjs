// npm run simulate [-- --seeds N --mutations M | --seed S --mutations M]: see README.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, defaultServerConditions } from 'vite';
import { mutantPlugin } from '../mutants/runner/plugin.mjs';

const root = join(import.meta.dirname, '../..');
// Among the installed packages, so that the bundle finds them.
const folder = mkdtempSync(join(root, 'node_modules/.onceward-simulation-'));
try {
  // Bundled, because the modules of a development server are slower than those of a build.
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: {
      noExternal: [/^@onceward\//],
      resolve: { conditions: ['@onceward/source', ...defaultServerConditions] },
    },
    plugins: [mutantPlugin(process.env)],
    build: {
      ssr: true,
      rolldownOptions: {
        input: ['test/simulation/main.ts', 'test/simulation/simulation-process.ts'],
      },
      outDir: folder,
      target: 'node20',
    },
  });
  const { status } = spawnSync(
    process.execPath,
    [join(folder, 'main.js'), ...process.argv.slice(2)],
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
