import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from '../tooling/packages.mjs';
import { type Block, blocksOf, documents, fileNameOf } from './documents.ts';

interface Source {
  readonly place: string;
  readonly file: string;
  readonly code: string;
}

test('every TypeScript block in every document compiles', { timeout: 120_000 }, () => {
  const blocks = documents().flatMap(blocksOf);
  const sources = blocks.filter(({ language }) => /^tsx?$/.test(language)).map(sourceOf);
  expect(sources.length).toBeGreaterThan(5);
  expect(problemsOf(sources)).toEqual([]);
});

test('no two blocks of a folder are the same file', () => {
  const named = documents().flatMap(blocksOf).filter(fileNameOf);
  const files = named.map((block) => sourceOf(block).file);
  expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([]);
});

test('a block that does not compile is found', { timeout: 120_000 }, () => {
  const code = "import { mintKey } from '@onceward/core';\nconst key: number = mintKey();";
  const [problem] = problemsOf([{ place: 'nowhere.md:1', file: join(root, 'nowhere.ts'), code }]);
  expect(problem).toMatch(/^nowhere.md:1 .*not assignable to type 'number'/);
});

/** A block as a file that does not exist, beside its document: imports resolve as its reader's. */
function sourceOf(block: Block): Source {
  const name = fileNameOf(block) ?? `block-at-line-${block.line}.${block.language}`;
  return { place: block.place, file: join(root, dirname(block.document), name), code: block.code };
}

function problemsOf(sources: readonly Source[]): string[] {
  const codes = new Map(sources.map((source) => [source.file, source]));
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => codes.has(path) || fileExists(path);
  // A block without imports would be a script that shares its names with all the others.
  host.readFile = (path) => {
    const source = codes.get(path);
    return source ? `${source.code}\nexport {};\n` : readFile(path);
  };
  host.getSourceFile = (path, language) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, language);
  };
  const program = ts.createProgram([...codes.keys()], options, host);
  // Of the blocks alone: what they import is checked elsewhere.
  return sources.flatMap(({ file, place }) => {
    const source = program.getSourceFile(file);
    const found = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    return found.map(
      ({ messageText }) => `${place} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

function compilerOptions(): ts.CompilerOptions {
  const path = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, (file) => readFileSync(file, 'utf8')) as {
    config: object;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}
