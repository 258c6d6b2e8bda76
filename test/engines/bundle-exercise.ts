import { join } from 'node:path';
import { build, defaultClientConditions } from 'vite';
import { mutantPlugin } from '../mutants/runner/plugin.mjs';

type ExerciseName = 'core' | 'client' | 'journal' | 'app-journal' | 'react';

/** A package and its exercise as one classic script that defines the global `onceward`. */
export async function bundleExercise(name: ExerciseName): Promise<string> {
  return bundleScript(join(import.meta.dirname, `exercise-${name}.ts`));
}

/** A file and what it imports as one classic script that defines the global `onceward`. */
export async function bundleScript(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    // A deliberate mistake must be in the bundle, too, for its tests to notice.
    plugins: [mutantPlugin(process.env)],
    resolve: {
      conditions: ['@onceward/source', ...defaultClientConditions],
      alias: { 'node:assert/strict': join(import.meta.dirname, 'assert-in-page.ts') },
    },
    // React asks for it, and a page has no process. This one also warns of mistakes.
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry, name: 'onceward', formats: ['iife'] },
    },
  });
  const [output] = Array.isArray(built) ? built : [];
  const [chunk] = output?.output ?? [];
  if (!chunk) throw new Error('Vite built nothing');
  return chunk.code;
}
