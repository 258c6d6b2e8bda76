import { join } from 'node:path';
import { normalizePath, type Plugin } from 'vite';
import { mutate } from '../mutants/runner/mutants.mjs';
import { root } from '../tooling/packages.mjs';

const byDefault = {
  file: 'packages/postgres/src/database/pg-pool.ts',
  find: 'batching = true }: PgOptions',
  replace: 'batching = false }: PgOptions',
};

/**
 * Every store on PostgreSQL that does not ask for batching goes without, as Vitest reads the sources:
 *
 *   ONCEWARD_BATCHING=off npx vitest run packages/postgres
 */
export function withoutBatching(environment: NodeJS.ProcessEnv): Plugin | undefined {
  const wanted = environment['ONCEWARD_BATCHING'] ?? 'on';
  if (wanted === 'on') return undefined;
  if (wanted !== 'off') throw new Error('ONCEWARD_BATCHING must be "on" or "off"');
  const target = normalizePath(join(root, byDefault.file));

  return {
    name: 'onceward-without-batching',
    enforce: 'pre',
    transform(source, path) {
      if (path.split('?')[0] !== target) return undefined;
      return { code: mutate(byDefault, source), map: null };
    },
  };
}
