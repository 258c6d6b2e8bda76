import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Ends a run with `N passed, N failed` on a line of its own, for people and scripts alike. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const { passed, failed, skipped } = count(modules);
    if (skipped > 0) console.log(`${skipped} skipped`);
    console.log(`${passed} passed, ${failed + errors.length} failed`);
  }
}

function count(modules: readonly TestModule[]) {
  const total = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  for (const module of modules) {
    const before = total.failed;
    for (const test of module.children.allTests()) total[test.result().state]++;
    // A file that could not be loaded, or a hook that threw, fails without a test of its own.
    if (module.state() === 'failed' && total.failed === before) total.failed++;
  }
  return total;
}
