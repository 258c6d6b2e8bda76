import { afterEach, expect, test, vi } from 'vitest';
import type { TestModule } from 'vitest/node';
import { SummaryReporter } from './summary-reporter.ts';

afterEach(() => void vi.restoreAllMocks());

function printed(modules: TestModule[], unhandledErrors: number): string[] {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  new SummaryReporter().onTestRunEnd(modules, Array(unhandledErrors).fill({ message: 'late' }));
  return log.mock.calls.map(([line]) => String(line));
}

function module(state: 'passed' | 'failed', ...tests: string[]): TestModule {
  const results = tests.map((test) => ({ result: () => ({ state: test }) }));
  return { state: () => state, children: { allTests: () => results } } as unknown as TestModule;
}

test('the last line counts tests that passed and tests that failed', () => {
  const modules = [module('passed', 'passed', 'passed'), module('failed', 'passed', 'failed')];
  expect(printed(modules, 0)).toEqual(['3 passed, 1 failed']);
});

test('a file that did not load and an error outside any test are failures, too', () => {
  expect(printed([module('passed', 'passed'), module('failed')], 1)).toEqual([
    '1 passed, 2 failed',
  ]);
});

test('skipped tests are said, not hidden', () => {
  expect(printed([module('passed', 'passed', 'skipped')], 0)).toEqual([
    '1 skipped',
    '1 passed, 0 failed',
  ]);
});
