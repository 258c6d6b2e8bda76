import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Block {
  /** `README.md:12`, for whoever has to mend it. */
  readonly place: string;
  /** A file that does not exist, beside the document, so that imports resolve as its reader's. */
  readonly file: string;
  readonly code: string;
}

test('every TypeScript block in every document compiles', { timeout: 120_000 }, () => {
  const blocks = documents().flatMap(blocksOf);
  expect(blocks.length).toBeGreaterThan(5);
  expect(problemsOf(blocks)).toEqual([]);
});

test('a block that does not compile is found', { timeout: 120_000 }, () => {
  const code = "import { mintKey } from '@onceward/core';\nconst key: number = mintKey();";
  const [problem] = problemsOf([{ place: 'nowhere.md:1', file: join(root, 'nowhere.ts'), code }]);
  expect(problem).toMatch(/^nowhere.md:1 .*not assignable to type 'number'/);
});

function documents(): string[] {
  return ts.sys.readDirectory(root, ['.md'], ['**/node_modules', '**/dist']);
}

function blocksOf(document: string): Block[] {
  const text = readFileSync(document, 'utf8');
  return [...text.matchAll(/^```(tsx?)\n(.*?)^```/gms)].map(({ 1: kind, 2: code = '', index }) => {
    const line = text.slice(0, index).split('\n').length;
    const place = `${relative(root, document)}:${line}`;
    // A block that begins with a file's name can be imported by the others.
    const [, name = `block-at-line-${line}.${kind}`] = /^\/\/ ([\w-]+\.tsx?)\n/.exec(code) ?? [];
    return { place, file: join(dirname(document), name), code };
  });
}

function problemsOf(blocks: readonly Block[]): string[] {
  const codes = new Map(blocks.map((block) => [block.file, block]));
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => codes.has(path) || fileExists(path);
  // A block without imports would be a script that shares its names with all the others.
  host.readFile = (path) => {
    const block = codes.get(path);
    return block ? `${block.code}\nexport {};\n` : readFile(path);
  };
  host.getSourceFile = (path, language) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, language);
  };
  const program = ts.createProgram([...codes.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file && codes.has(file.fileName))
    .map(({ file, messageText }) => {
      const message = ts.flattenDiagnosticMessageText(messageText, ' ');
      return `${codes.get(file?.fileName ?? '')?.place} ${message}`;
    });
}

function compilerOptions(): ts.CompilerOptions {
  const path = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, (file) => readFileSync(file, 'utf8')) as {
    config: object;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}
