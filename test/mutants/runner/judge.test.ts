import { expect, test } from 'vitest';
import { judge } from './judge.mjs';
import type { Problem, Report } from './reporter.mjs';

const assertion = problem('AssertionError', 'expected 1 to be 2');
const run = { applied: true, output: '' };

function problem(name: string, message: string, codes: string[] = []): Problem {
  return { name, message, codes };
}

function report(overrides: Partial<Report>): Report {
  const none = { failed: [], suiteErrors: [], unhandledErrors: [], interrupted: false };
  return { passed: 3, ...none, ...overrides };
}

test('a mutant is killed by the first test that fails', () => {
  const failed = [{ test: 'the store > replays', errors: [assertion] }];
  expect(judge(report({ failed }), run)).toEqual({ kind: 'killed', by: 'the store > replays' });
});

test('an assertion in a hook kills, too', () => {
  const verdict = judge(report({ passed: 0, suiteErrors: [assertion] }), run);
  expect(verdict).toEqual({ kind: 'killed', by: 'expected 1 to be 2' });
});

test('a run that a failing test has ended kills, also if it is not known which', () => {
  const verdict = judge(report({ interrupted: true }), run);
  expect(verdict).toEqual({ kind: 'killed', by: 'a test that ended the run' });
});

test('a mutant with which every test passes has survived', () => {
  expect(judge(report({}), run)).toEqual({ kind: 'survived' });
});

const failed = [{ test: 'the store > replays', errors: [assertion] }];
test.for<[what: string, report: Report | undefined, reason: string]>([
  ['a run that ended early', undefined, 'Vitest ended without a result: out of memory'],
  [
    'a file that does not load',
    report({ failed, suiteErrors: [problem('Error', 'Transform failed\n  at line 3')] }),
    'Error: Transform failed at line 3',
  ],
  [
    'an error outside any test',
    report({ failed, unhandledErrors: [problem('Error', 'connection lost')] }),
    'Error: connection lost',
  ],
  [
    'code that refers to nothing',
    report({
      failed: [{ test: 'a', errors: [problem('ReferenceError', 'lease is not defined')] }],
    }),
    'the changed code does not run: lease is not defined',
  ],
  [
    'SQL that does not parse',
    report({
      failed: [
        { test: 'a', errors: [problem('StoreError', 'no answer', ['STORE_DOWN', '42601'])] },
      ],
    }),
    'the changed code does not run: no answer',
  ],
  ['filters without a test', report({ passed: 0 }), 'its filters match no test'],
])('%s is broken, not killed', ([, found, reason]) => {
  const verdict = judge(found, { applied: true, output: 'first\nout of memory\n' });
  expect(verdict).toEqual({ kind: 'broken', reason });
});

test('a mutant that no test loads is broken, whatever the tests say', () => {
  const reason = 'no test loads the file it changes';
  const unapplied = { applied: false, output: '' };
  expect(judge(report({}), unapplied)).toEqual({ kind: 'broken', reason });
  expect(judge(report({ failed }), unapplied)).toEqual({ kind: 'broken', reason });
});
