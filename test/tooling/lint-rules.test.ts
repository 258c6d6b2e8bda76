import { ESLint } from 'eslint';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
// Type-aware rules need a file that exists; the drawing can be checked on files that do not.
const eslint = new ESLint({
  cwd: root,
  overrideConfig: {
    languageOptions: { parserOptions: { projectService: false } },
    rules: withoutTypes(),
  },
});

async function rulesFiring(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: join(root, filePath) });
  const messages = result?.messages ?? [];
  const broken = messages.find(({ fatal }) => fatal);
  if (broken) throw new Error(`Could not lint ${filePath}: ${broken.message}`);
  return messages.map(({ ruleId }) => ruleId ?? 'none');
}

const refused: [rule: string, file: string, code: string][] = [
  ['no-restricted-imports', 'packages/core/src/x.ts', "import '@onceward/server';"],
  ['no-restricted-imports', 'packages/core/src/x.ts', "import '@onceward/core/store';"],
  ['no-restricted-imports', 'packages/core/src/x.ts', "import 'node:crypto';"],
  ['no-restricted-syntax', 'packages/core/src/x.ts', "export default import('node:crypto');"],
  ['no-restricted-imports', 'packages/client/src/x.ts', "import 'node:fs';"],
  ['no-restricted-imports', 'packages/client/src/x.ts', "import '@onceward/server';"],
  ['no-restricted-imports', 'packages/client/src/node/x.ts', "import '@onceward/server';"],
  ['no-restricted-imports', 'packages/server/src/x.ts', "import '@onceward/client';"],
  ['no-restricted-imports', 'packages/server/src/x.ts', "import '@onceward/postgres';"],
  ['no-restricted-imports', 'packages/server/src/x.ts', "import '@onceward/conformance';"],
  ['no-restricted-syntax', 'packages/server/src/x.ts', "export default import('@onceward/redis');"],
  ['no-restricted-imports', 'packages/server/src/x.ts', "import '../../redis/src/index.ts';"],
  ['no-restricted-imports', 'packages/server/src/x.test.ts', "import '@onceward/postgres';"],
  ['no-restricted-imports', 'packages/postgres/src/x.ts', "import '@onceward/server';"],
  ['no-restricted-imports', 'packages/postgres/src/x.ts', "import type {} from '@onceward/redis';"],
  ['no-restricted-imports', 'packages/redis/src/x.ts', "import '@onceward/server/trpc';"],
  ['no-restricted-imports', 'packages/conformance/src/x.ts', "import '@onceward/server';"],
  ['no-restricted-imports', 'packages/cli/src/x.ts', "import '@onceward/client';"],
  ['no-restricted-imports', 'packages/console/src/x.ts', "import '@onceward/client';"],
  ['no-restricted-imports', 'packages/console/page/x.ts', "import '@onceward/postgres';"],
  ['no-restricted-imports', 'packages/console/page/x.ts', "import 'node:fs';"],
  ['no-restricted-syntax', 'packages/console/page/x.ts', "import '../src/index.ts';"],

  ['no-restricted-properties', 'packages/server/src/x.ts', 'export const a = Date.now();'],
  ['no-restricted-properties', 'packages/server/src/x.ts', 'export const a = Math.random();'],
  ['no-restricted-properties', 'packages/server/src/x.ts', 'export const a = globalThis.crypto;'],
  ['no-restricted-properties', 'packages/server/src/x.ts', 'AbortSignal.timeout(1);'],
  ['no-restricted-syntax', 'packages/server/src/x.ts', 'export const a = new Date();'],
  ['no-restricted-syntax', 'packages/server/src/x.ts', "export default import('@onceward/redis');"],
  ['no-restricted-globals', 'packages/server/src/x.ts', 'setTimeout(() => {}, 1);'],
  ['no-restricted-globals', 'packages/server/src/x.ts', 'setInterval(() => {}, 1);'],
  ['no-restricted-globals', 'packages/server/src/x.ts', 'crypto.randomUUID();'],

  ['no-console', 'packages/redis/src/x.ts', 'console.log(1);'],
  [
    'max-params',
    'packages/core/src/x.ts',
    'export const f = (a = 0, b = 0, c = 0, d = 0) => a+b+c+d;',
  ],
  [
    '@typescript-eslint/consistent-type-imports',
    'packages/core/src/x.ts',
    "import { A } from './a.ts'; export type B = A;",
  ],
];

test.for(refused)('%s refuses, in %s, %s', async ([rule, file, code]) => {
  expect(await rulesFiring(file, code)).toEqual([rule]);
});

const allowed: [file: string, code: string][] = [
  ['packages/server/src/x.ts', "import '@onceward/core'; import '@onceward/core/store';"],
  ['packages/server/src/x.ts', "import 'node:crypto';"],
  ['packages/server/src/x.test.ts', "import '@onceward/conformance'; setTimeout(() => {}, 1);"],
  ['packages/server/src/memory/x.ts', 'export const a = Date.now();'],
  ['packages/core/src/x.test.ts', "import 'node:crypto';"],
  ['packages/client/src/node/x.ts', "import 'node:fs'; import '@onceward/core';"],
  ['packages/cli/src/x.ts', "import '@onceward/postgres'; import '@onceward/server';"],
  ['test/e2e/x.test.ts', "import '@onceward/client'; import '@onceward/server'; console.log(1);"],
];

test.for(allowed)('nothing refuses, in %s, %s', async ([file, code]) => {
  expect(await rulesFiring(file, code)).toEqual([]);
});

test('promises that nobody waits for and switches that miss a case are refused', async () => {
  // Any file the type checker knows will do; its text is replaced.
  const filePath = join(root, 'packages/core/src/index.ts');
  const code = `
    declare const state: 'free' | 'reserved';
    switch (state) { case 'free': break; }
    Promise.resolve(1);
  `;
  const [result] = await new ESLint({ cwd: root }).lintText(code, { filePath });
  expect(result?.messages.map(({ ruleId }) => ruleId)).toEqual([
    '@typescript-eslint/switch-exhaustiveness-check',
    '@typescript-eslint/no-floating-promises',
  ]);
});

function withoutTypes() {
  return {
    ...tseslint.configs.disableTypeChecked.rules,
    // These examples import what does not exist and export what nobody uses.
    'no-undef': 'off',
  } as const;
}
