import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { pageFiles } from './packages/console/build-page.mjs';
import { mutantPlugin } from './test/mutants/runner/plugin.mjs';
import { SlowFirst } from './test/tooling/slow-first.ts';
import { SummaryReporter } from './test/tooling/summary-reporter.ts';
import { resolveFloor } from './test/trpc-floor/resolve-floor.ts';
import { withoutBatching } from './test/unbatched/without-batching.ts';

// Tests read the sources of sibling packages: no build step, no stale dist.
// Other packages are loaded as Node.js does it, which knows no condition `module`.
const conditions = defaultServerConditions.filter((condition) => condition !== 'module');
const ssr = { resolve: { conditions: ['@onceward/source', ...conditions] } };
// The console's page is built when the first test asks for it.
const plugins = [mutantPlugin(process.env), withoutBatching(process.env), pageFiles()];
// A second is not much for a browser on a machine that does other things too.
const poll = { timeout: 10_000 };
const patience = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll } };

export default defineConfig({
  test: {
    // Not extended by the projects, which would start the servers once more for each.
    globalSetup: ['./test/services/global-setup.ts'],
    reporters: ['default', new SummaryReporter()],
    // One more than the cores that it must do with: much of the time is spent waiting for processes.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        ssr,
        plugins,
        test: {
          ...patience,
          name: 'all',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'test/**/*.test.ts'],
        },
      },
      {
        // What imports tRPC, once more on the oldest version that is supported.
        ssr,
        plugins: [...plugins, resolveFloor()],
        test: {
          ...patience,
          name: 'trpc-floor',
          include: ['packages/*/src/trpc/**/*.test.ts', 'test/e2e/trpc/**/*.test.ts'],
        },
      },
    ],
  },
});
