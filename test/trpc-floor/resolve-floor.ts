import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Resolves tRPC to the oldest version that is supported, as if its importers were in this folder. */
export function resolveFloor(): Plugin {
  const importer = join(import.meta.dirname, 'package.json');
  return {
    name: 'onceward-trpc-floor',
    enforce: 'pre',
    resolveId(id) {
      return /^@trpc\/(client|server)(\/|$)/.test(id) ? this.resolve(id, importer) : undefined;
    },
  };
}
