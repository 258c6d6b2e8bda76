import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../tooling/packages.mjs';

/**
 * Compiles files of an application that has our packages installed.
 *
 * @returns what the compiler complains about in them and in our declarations; what a library got
 *   wrong in its own is not ours to mend
 */
export function typeCheck(
  folder: string,
  files: Readonly<Record<string, string>>,
  compilerOptions: object,
): string[] {
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  const config = {
    compilerOptions: {
      ...compilerOptions,
      typeRoots: [join(root, 'node_modules/@types')],
      target: 'es2022',
      lib: ['es2022', 'esnext.disposable', 'dom'],
      strict: true,
      noEmit: true,
      // Our declarations are what this is about, not those of the language.
      skipLibCheck: false,
      skipDefaultLibCheck: true,
    },
    files: Object.keys(files),
  };
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
  const ours = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(`${ts.sys.realpath?.(folder) ?? folder}/`))
    .filter(({ fileName }) => !/node_modules\/(?!@onceward\/)/.test(fileName));
  if (ours.length <= fileNames.length) throw new Error('No declaration of ours was loaded');
  const found = ours.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
    ...(options.declaration ? program.getDeclarationDiagnostics(file) : []),
  ]);
  return [...errors, ...program.getGlobalDiagnostics(), ...found].map(
    ({ file, messageText }) =>
      `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
}
