import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../tooling/packages.mjs';
import { type Document, documents } from './documents.ts';

const all = documents();
const anchors = new Map(all.map((document) => [document.path, anchorsOf(document.text)]));

test('every link of every document leads somewhere', () => {
  expect(all.length).toBeGreaterThan(30);
  expect(all.flatMap(deadLinks)).toEqual([]);
});

test('a link to a file or a heading that is not there is found', () => {
  const text = '# Here\n\n[a](nowhere.md) [b](#there) [c](README.md#no-such) [d](#here) [e](docs)';
  const document = { path: 'made-up.md', text };
  anchors.set(document.path, anchorsOf(text));
  expect(deadLinks(document)).toEqual([
    'made-up.md: nowhere.md',
    'made-up.md: #there',
    'made-up.md: README.md#no-such',
  ]);
});

function deadLinks(document: Document): string[] {
  return linksOf(document.text)
    .filter((link) => !leadsSomewhere(document, link))
    .map((link) => `${document.path}: ${link}`);
}

/** What a document links to, in text and in pictures, but for other sites. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(<?([^)>\s]+|[^)\s]*\[[^)]*)>?\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere({ path }: Document, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? path : normalize(join(dirname(path), decodeURI(file)));
  if (anchor === undefined) return existsSync(join(root, target));
  const headings = anchors.get(readme(target) ?? target);
  return headings?.has(anchor) ?? false;
}

/** A folder shows its README. */
function readme(path: string): string | undefined {
  const place = join(root, path);
  if (!existsSync(place) || !statSync(place).isDirectory()) return undefined;
  return join(path, 'README.md');
}

/** The names that GitHub gives headings. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#{1,6} (.+)$/gm);
  const found = new Set<string>();
  for (const [, heading = ''] of headings) {
    const name = heading
      .toLowerCase()
      .replaceAll(/\]\([^)]*\)/g, '')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let unique = name;
    for (let count = 1; found.has(unique); count++) unique = `${name}-${count}`;
    found.add(unique);
  }
  return found;
}
