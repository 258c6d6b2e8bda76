import type { Plugin } from 'vite';
import { replacing } from '../tooling/replace-text.mjs';

/**
 * Makes `batching: false` the default of stores on PostgreSQL, in the sources as Vite reads them:
 *
 *   ONCEWARD_BATCHING=off npx vitest run packages/postgres
 */
export function withoutBatching(environment: NodeJS.ProcessEnv): Plugin | undefined {
  const wanted = environment['ONCEWARD_BATCHING'] ?? 'on';
  if (wanted === 'on') return undefined;
  if (wanted !== 'off') throw new TypeError(`Expected ONCEWARD_BATCHING to be on or off`);
  return replacing(offByDefault, { name: 'onceward-without-batching' });
}

const offByDefault = {
  file: 'packages/postgres/src/database/pg-pool.ts',
  find: 'batching = true }: PgOptions',
  replace: 'batching = false }: PgOptions',
};
