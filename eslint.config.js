import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const tests = ['**/*.test.ts', '**/*.test-d.ts'];

/**
 * The dependency drawing of docs/architecture.md: who may import whom. Every arrow ends in core, so
 * a store cannot lean on the engine, the engine cannot know a database, and nothing made for a
 * server can reach a browser through the client.
 *
 * @type {Record<string, string[]>}
 */
const drawing = {
  core: [],
  client: ['core'],
  server: ['core'],
  postgres: ['core'],
  redis: ['core'],
  conformance: ['core'],
  cli: ['core', 'server', 'postgres', 'redis'],
  console: ['core', 'server', 'postgres', 'redis'],
};

/** Packages that must load in a browser and in Hermes, and what of them is for Node.js alone. */
const portable = ['core', 'client'];
const forNode = ['packages/client/src/node/**'];

/** Where server code may touch the real clock: the defaults of its ports. */
const ports = ['packages/server/src/memory/**'];

export default defineConfig(
  { ignores: ['**/dist/**', '**/coverage/**'] },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-floating-promises': 'error',
      // A default is a decision about every other case; without one, a new case is an error here.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreUsingDeclarations: true }],
      // A port is a promise also where one implementation has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: tests,
    rules: { 'max-params': ['error', 3], 'no-console': 'error' },
  },
  Object.entries(drawing).flatMap(([name, allowed]) => [
    {
      files: [`packages/${name}/src/**/*.ts`],
      ignores: tests,
      rules: importRules(allowed),
    },
    {
      // A package's own tests may also run the conformance suite; what spans packages is in test/.
      files: tests.map((pattern) => `packages/${name}/src/${pattern}`),
      rules: importRules([...allowed, 'conformance']),
    },
  ]),
  {
    // The page runs in a browser. What it shares with its server are types, and how core shows a text.
    files: ['packages/console/page/**/*.{ts,tsx}'],
    rules: {
      ...importRules(['core'], { browser: true }),
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ImportDeclaration[importKind!="type"][source.value=/\\/src\\//]',
          message: 'The page shares only types with its server.',
        },
      ],
    },
  },
  portable.map((name) => ({
    files: [`packages/${name}/src/**/*.ts`],
    ignores: [...tests, ...forNode],
    rules: importRules(drawing[name] ?? [], { browser: true }),
  })),
  {
    files: ['packages/server/src/**/*.ts'],
    ignores: [...tests, ...ports],
    rules: {
      'no-restricted-properties': [
        'error',
        ...[
          ['Date', 'now', 'Take the time from the injected clock.'],
          ['Math', 'random', 'Take randomness from the injected source.'],
          ['AbortSignal', 'timeout', 'Set the timer with the injected clock.'],
          ['globalThis', 'crypto', 'Take randomness from the injected source.'],
          ['globalThis', 'setTimeout', 'Set the timer with the injected clock.'],
        ].map(([object, property, message]) => ({ object, property, message })),
      ],
      'no-restricted-globals': [
        'error',
        ...['setTimeout', 'setInterval', 'setImmediate', 'performance'].map((name) => ({
          name,
          message: 'Time comes from the injected clock.',
        })),
        { name: 'crypto', message: 'Randomness comes from the injected source.' },
      ],
      'no-restricted-syntax': [
        ...importRules(['core'])['no-restricted-syntax'],
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'Take the time from the injected clock.',
        },
      ],
    },
  },
  {
    // JavaScript that Node.js runs as it is, and the configuration of the tools.
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        ['Buffer', 'URL', 'clearTimeout', 'console', 'performance', 'process', 'setTimeout'].map(
          (name) => [name, 'readonly'],
        ),
      ),
    },
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    files: [...tests, 'test/**/*.ts', 'packages/*/test/**/*.ts'],
    rules: {
      // What a test reads back from JSON, a page or another process has no type to speak of.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
      // A test looks at the case it is about.
      '@typescript-eslint/switch-exhaustiveness-check': 'off',
    },
  },
);

/**
 * What one package may import. `no-restricted-imports` does not see `import()`, hence the selectors.
 *
 * @param {string[]} allowed
 * @param {{ browser?: boolean }} [options]
 * @returns {Record<'no-restricted-imports' | 'no-restricted-syntax', ['error', ...object[]]>}
 */
function importRules(allowed, { browser = false } = {}) {
  const only = allowed.length > 0 ? `only @onceward/${allowed.join(', @onceward/')}` : 'nothing';
  const restrictions = [
    {
      regex: `^@onceward/(?!(${[...allowed, '-'].join('|')})(/|$))`,
      message: `This package imports ${only} of ours.`,
    },
    {
      regex: `^(\\.\\./)+(${Object.keys(drawing).join('|')})/(src|dist)(/|$)`,
      message: 'Import a package by its name, not by its path.',
    },
  ];
  if (browser) {
    restrictions.push({ regex: '^node:', message: 'core and client must load in a browser.' });
  }
  return {
    'no-restricted-imports': ['error', { patterns: restrictions }],
    'no-restricted-syntax': [
      'error',
      ...restrictions.map(({ regex, message }) => ({
        selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\/')}/]`,
        message,
      })),
    ],
  };
}
