import axe, { type Result, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Expects that axe finds nothing wrong with the page as it is now: WCAG 2.0 to 2.2 at levels A and
 * AA, shadow roots included. What it finds is listed one line each, with the place and the reason.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const violations = await violationsOn(page);
  expect(violations, violations.join('\n')).toEqual([]);
}

/** Everything that axe finds wrong, one line each. */
export async function violationsOn(page: Page): Promise<string[]> {
  // Evaluated by the debugger, not by a script of the page, so that no content policy is in the way.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: typeof axe }).axe.run(document, options),
    runOptions,
  );
  return violations.flatMap(linesOf);
}

const runOptions: RunOptions = {
  resultTypes: ['violations'],
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'],
  },
  rules: {
    // Off unless asked for, though WCAG 2.2 wants it at level AA.
    'target-size': { enabled: true },
    // Only advice to axe, but how somebody finds their way who does not see the page.
    'heading-order': { enabled: true },
    'page-has-heading-one': { enabled: true },
    'landmark-one-main': { enabled: true },
    region: { enabled: true },
  },
};

function linesOf({ id, help, nodes }: Result): string[] {
  return nodes.map(({ target, failureSummary }) => {
    const reasons = (failureSummary ?? '').split('\n').slice(1);
    return `${id}: ${help}: ${target.flat().join(' ')}: ${reasons.join(';').trim()}`;
  });
}
