import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';
import { root } from '../tooling/packages.mjs';

/** A document of the repository. */
export interface Document {
  /** From the root: `docs/offline.md`. */
  readonly path: string;
  readonly text: string;
}

/** A fenced block of a document. */
export interface Block {
  readonly document: string;
  /** `README.md:12`, for whoever has to mend it. */
  readonly place: string;
  readonly line: number;
  /** `ts`, `sh`, … */
  readonly language: string;
  readonly code: string;
}

/** Every Markdown file, but for what is generated. */
export function documents(): Document[] {
  const generated = ['**/node_modules', '**/dist', 'docs/api'];
  return ts.sys
    .readDirectory(root, ['.md'], generated)
    .map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') }));
}

/** The fenced blocks of a document, in order. */
export function blocksOf({ path, text }: Document): Block[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```/gms)].map(
    ({ 1: language = '', 2: code = '', index }) => {
      const line = text.slice(0, index).split('\n').length;
      return { document: path, place: `${path}:${line}`, line, language, code };
    },
  );
}

/** The name that a block gives itself in its first line, such as `// server.ts`. */
export function fileNameOf({ code }: Block): string | undefined {
  return /^\/\/ ([\w-]+\.tsx?)\n/.exec(code)?.[1];
}
