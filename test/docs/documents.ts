import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Every Markdown file, but for what is installed, built or generated. */
export function documents(folder = ''): Document[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return isOurs(path) ? documents(path) : [];
    if (!entry.name.endsWith('.md')) return [];
    return [{ path, text: readFileSync(join(root, path), 'utf8') }];
  });
}

function isOurs(path: string): boolean {
  return !/(^|\/)(node_modules|dist|\.[^/]*)$/.test(path) && path !== 'docs/api';
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

/** The commands of a block for a shell; one that goes on in further lines is named by its first. */
export function commandsOf({ code }: Block): string[] {
  return code
    .replaceAll(/\s*\\\n(.*\\\n)*.*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s+)# .*$/, '').trim())
    .filter((line) => line !== '');
}
