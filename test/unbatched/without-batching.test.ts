import { join } from 'node:path';
import { runnerImport } from 'vite';
import { expect, test } from 'vitest';
import type { PgPool, pgDatabase } from '../../packages/postgres/src/database/pg-pool.ts';
import { root } from '../tooling/packages.mjs';
import { withoutBatching } from './without-batching.ts';

const unused = { query: () => Promise.reject(new Error('unused')) } as unknown as PgPool;

/** The sources, as a run of Vitest in this environment reads them. */
async function loadIn(environment: NodeJS.ProcessEnv) {
  const file = join(root, 'packages/postgres/src/database/pg-pool.ts');
  const conditions = ['@onceward/source'];
  const { module } = await runnerImport(file, {
    plugins: [withoutBatching(environment)],
    resolve: { conditions },
    ssr: { resolve: { conditions } },
  });
  return module as { pgDatabase: typeof pgDatabase };
}

test.each([
  ['unset', {}, 'batches', true],
  ['on', { ONCEWARD_BATCHING: 'on' }, 'batches', true],
  ['off', { ONCEWARD_BATCHING: 'off' }, 'sends each alone', false],
])(
  'with ONCEWARD_BATCHING %s, a store that is not told %3$s',
  async (_, environment, _does, batches) => {
    const { pgDatabase } = await loadIn(environment);
    expect(pgDatabase(unused).batches !== undefined).toBe(batches);
  },
);

test.each(['on', 'off'])(
  'with ONCEWARD_BATCHING %s, a store that is told does as told',
  async (set) => {
    const { pgDatabase } = await loadIn({ ONCEWARD_BATCHING: set });
    expect(pgDatabase(unused, { batching: true }).batches).toBeDefined();
    expect(pgDatabase(unused, { batching: false }).batches).toBeUndefined();
  },
);

test('any other word is refused', () => {
  expect(() => withoutBatching({ ONCEWARD_BATCHING: 'no' })).toThrow(
    'Expected ONCEWARD_BATCHING to be on or off',
  );
});
