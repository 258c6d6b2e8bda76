import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { mutantPlugin } from './test/mutants/runner/plugin.mjs';
import { SummaryReporter } from './test/tooling/summary-reporter.ts';

export default defineConfig({
  // Tests read the sources of sibling packages: no build step, no stale dist.
  ssr: { resolve: { conditions: ['@onceward/source', ...defaultServerConditions] } },
  plugins: [mutantPlugin(process.env)],
  test: {
    include: ['packages/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['./test/services/global-setup.ts'],
    reporters: ['default', new SummaryReporter()],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
