import type { Page } from 'playwright-core';

/**
 * What WCAG 2.2 asks for at levels A and AA, as far as a program can tell without a library: names,
 * headings, references, labels of groups, the contrast of text, and the size of what is pressed.
 * Resolves with everything that is wrong.
 */
export async function auditPage(page: Page): Promise<string[]> {
  return [...(await namelessOn(page)), ...(await page.evaluate(auditDocument))];
}

/** What can be focused and has no name, by the browser's own accessibility tree. */
async function namelessOn(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  await devtools.detach();
  return nodes
    .filter((node) => !node.ignored && node.role?.value !== 'RootWebArea')
    .filter((node) =>
      node.properties?.some(({ name, value }) => name === 'focusable' && value.value),
    )
    .filter((node) => !node.name?.value)
    .map((node) => `${node.role?.value} has no name`);
}

/** Runs in the page, so it can use nothing from here. */
function auditDocument(): string[] {
  const found: string[] = [];
  const all = [...document.querySelectorAll<HTMLElement>('body *')];
  const shown = all.filter((element) => element.checkVisibility());

  if (!document.documentElement.lang) found.push('the page has no language');
  if (!document.title) found.push('the page has no title');
  if (document.querySelectorAll('h1').length !== 1) found.push('there is not one h1');
  if (document.querySelectorAll('main').length !== 1) found.push('there is not one main');
  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) =>
    Number(tagName[1]),
  );
  for (const [index, level] of levels.entries()) {
    if (level > (levels[index - 1] ?? 0) + 1) found.push(`heading ${index + 1} skips a level`);
  }

  const ids = all.map(({ id }) => id).filter(Boolean);
  for (const id of new Set(ids)) {
    if (ids.filter((other) => other === id).length > 1) found.push(`id ${id} is used twice`);
  }
  for (const element of all) {
    for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls']) {
      for (const id of element.getAttribute(name)?.split(' ') ?? []) {
        if (!document.getElementById(id)) found.push(`${name} refers to ${id}, which is not there`);
      }
    }
  }
  for (const radio of document.querySelectorAll('input[type="radio"]')) {
    if (!radio.closest('fieldset')?.querySelector('legend')?.textContent) {
      found.push('a radio button belongs to a group without a name');
    }
  }

  for (const element of shown) {
    const own = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.nodeValue?.trim(),
    );
    if (!own || element.closest(':disabled')) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = parseFloat(fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const ratio = contrast(channels(color), groundOf(element));
    if (ratio < (large ? 3 : 4.5)) {
      found.push(`"${element.textContent?.slice(0, 30)}" has a contrast of ${ratio.toFixed(2)}`);
    }
  }

  for (const element of shown) {
    if (!element.matches('button, .button, fieldset label, footer button')) continue;
    const { width, height } = element.getBoundingClientRect();
    if (width < 24 || height < 24) found.push(`"${element.textContent}" is too small to press`);
  }
  return found;

  function groundOf(element: Element): number[] {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const [red = 0, green = 0, blue = 0, alpha = 1] = channels(
        getComputedStyle(at).backgroundColor,
      );
      if (alpha === 1) return [red, green, blue];
    }
    return [255, 255, 255];
  }

  /** As `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0)`. */
  function channels(color: string): number[] {
    return (color.match(/[\d.]+/g) ?? []).map(Number);
  }

  function contrast(one: number[], other: number[]): number {
    const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (lighter + 0.05) / (darker + 0.05);
  }

  function luminance([red = 0, green = 0, blue = 0]: number[]): number {
    const linear = (value: number) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  }
}
