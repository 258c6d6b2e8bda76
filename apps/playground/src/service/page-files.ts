import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

/** The files of the page, by their path in the address. Few and small, so they stay in memory. */
export type PageFiles = ReadonlyMap<string, PageFile>;

interface PageFile {
  readonly type: string;
  readonly content: string;
}

export function readPageFiles(folder: string): PageFiles {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.flatMap((name) => {
      const type = types[extname(name)];
      if (!type) return [];
      const path = name === 'index.html' ? '/' : `/${name.replaceAll(sep, '/')}`;
      return [[path, { type, content: readFileSync(join(folder, name), 'utf8') }]];
    }),
  );
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The answer to a request for a page; `undefined` when there is none at this path. */
export function answerPage(files: PageFiles, path: string): Response | undefined {
  const file = files.get(path);
  if (!file) return undefined;
  return new Response(file.content, {
    headers: {
      'content-type': file.type,
      'cache-control':
        file.type === types['.html'] ? 'no-cache' : 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'self'; img-src 'self' data:",
    },
  });
}
