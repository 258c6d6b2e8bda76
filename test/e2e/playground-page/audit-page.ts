import type { Page } from 'playwright-core';

/**
 * What axe does not look for: groups of choices without a name, and buttons that are too small
 * though nothing else is near, which WCAG 2.2 lets pass. Resolves with everything that is wrong.
 */
export async function auditPage(page: Page): Promise<string[]> {
  return page.evaluate(auditDocument);
}

/** Runs in the page, so it can use nothing from here. */
function auditDocument(): string[] {
  const found: string[] = [];
  for (const radio of document.querySelectorAll('input[type="radio"]')) {
    if (!radio.closest('fieldset')?.querySelector('legend')?.textContent) {
      found.push('a radio button belongs to a group without a name');
    }
  }
  for (const element of document.querySelectorAll<HTMLElement>('button, .button, fieldset label')) {
    const { width, height } = element.getBoundingClientRect();
    const small = width < 24 || height < 24;
    if (small && element.checkVisibility())
      found.push(`"${element.textContent}" is too small to press`);
  }
  return found;
}
