import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, defaultClientConditions, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { root } from '../tooling/packages.mjs';

/**
 * What the client and its tRPC link may add to a page: minified, compressed, without tRPC itself.
 * It only goes down without discussion.
 */
const budgetBytes = 6_000;

test('the client with its tRPC link stays within its budget', async () => {
  const { code } = await bundle();
  const bytes = gzipSync(code, { level: 9 }).length;
  expect(bytes, `${bytes} bytes, of ${budgetBytes}`).toBeLessThanOrEqual(budgetBytes);
  // A budget that nobody notices is met by anything.
  expect(bytes, `${bytes} bytes: lower the budget`).toBeGreaterThan(budgetBytes - 500);
});

test('of core, only what it uses comes along', async () => {
  const { modules } = await bundle();
  const rendered = Object.entries(modules).filter(([, { code }]) => code);
  const names = rendered.map(([path]) => path.slice(root.length));
  expect(names).toContain('/packages/client/src/trpc/idempotency-link.ts');
  expect(names).toContain('/packages/core/src/keys/mint-key.ts');
  expect(
    names.filter((name) => /node_modules|\/errors\/|\/store\/|create-delivery/.test(name)),
  ).toEqual([]);
});

async function bundle(): Promise<Rolldown.OutputChunk> {
  const entry = join(import.meta.dirname, 'size-budget.fixture.ts');
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['@onceward/source', ...defaultClientConditions] },
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: 'strict', external: /^@trpc\// },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !('output' in output)) throw new Error('Vite built nothing');
  return output.output[0];
}
