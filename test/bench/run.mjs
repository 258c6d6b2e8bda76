// npm run bench [-- --quick --json FILE --only PART]: see README.md beside this file.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, defaultClientConditions, defaultServerConditions } from 'vite';

const root = join(import.meta.dirname, '../..');
// Among the installed packages, so that the bundle finds them.
const folder = mkdtempSync(join(root, 'node_modules/.onceward-bench-'));
try {
  // Bundled with the sources of our packages, as a user's build would have them.
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: {
      // The peers have an older node-redis than the tests, and the bundle lies beside the latter.
      noExternal: [/^@onceward\//, '@redis/client'],
      resolve: { conditions: ['@onceward/source', ...defaultServerConditions] },
    },
    build: {
      ssr: true,
      rolldownOptions: {
        input: ['main', 'bench-server-process', 'stress-process', 'peer-process'].map(
          (name) => `test/bench/${name}.ts`,
        ),
      },
      outDir: folder,
      target: 'node20',
    },
  });
  // And what runs in a browser, which is unpacked first if there is none.
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['@onceward/source', ...defaultClientConditions] },
    build: {
      lib: {
        entry: 'test/bench/journal-page.ts',
        name: 'onceward',
        formats: ['iife'],
        fileName: () => 'journal-page.js',
      },
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
    },
  });
  // What is started as it is, or read.
  const files = [
    ...['engines/unpack-chromium.mjs', 'engines/fonts.conf', 'bench/alarm-thread.mjs'],
    ...['services/keeper.mjs', 'services/valkey-process.mjs'],
  ];
  for (const file of files) cpSync(join(root, 'test', file), join(folder, basename(file)));
  const { status } = spawnSync(
    process.execPath,
    [join(folder, 'main.js'), ...process.argv.slice(2)],
    // Frameworks do more in development.
    { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
