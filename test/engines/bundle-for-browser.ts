import { join } from 'node:path';
import { build, defaultClientConditions } from 'vite';

/** The exercises as one classic script that defines the global `onceward`. */
export async function bundleForBrowser(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['@onceward/source', ...defaultClientConditions] },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: {
        entry: join(import.meta.dirname, 'exercises.ts'),
        name: 'exercises',
        formats: ['iife'],
      },
    },
  });
  const [output] = Array.isArray(built) ? built : [];
  const [chunk] = output?.output ?? [];
  if (!chunk) throw new Error('Vite built nothing');
  return chunk.code;
}
