import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, defaultClientConditions, type Rolldown } from 'vite';
import { describe, expect, test } from 'vitest';
import { root } from '../tooling/packages.mjs';

interface Entry {
  readonly name: string;
  /** What an application imports. */
  readonly input: string;
  /** What it has imported anyway, which is not counted. */
  readonly beyond?: string;
  /** The client library itself, which the application has anyway. */
  readonly external: RegExp;
  /** Sources that must be in it, or this would measure something else. */
  readonly contains: string[];
  /** What of core it may bring along, if not all but errors and stores. */
  readonly ofCore?: string[];
  /** What of the journal it may bring along, if that matters. */
  readonly ofJournal?: string[];
  /**
   * What it may add to a page together with the client: minified, compressed, without the library
   * it is for. It only goes down without discussion.
   */
  readonly budgetBytes: number;
}

const sources = join(root, 'packages/client/src');
const fixtures = join(import.meta.dirname, 'size-fixtures');
const minter = '/packages/core/src/keys/mint-key.ts';

const entries: Entry[] = [
  {
    name: '@onceward/client/trpc',
    input: join(fixtures, 'trpc.ts'),
    external: /^@trpc\//,
    contains: ['/packages/client/src/trpc/idempotency-link.ts', minter],
    budgetBytes: 6_000,
  },
  {
    name: '@onceward/client/apollo',
    input: join(fixtures, 'apollo.ts'),
    external: /^@apollo\//,
    contains: ['/packages/client/src/apollo/idempotency-link.ts', minter],
    budgetBytes: 6_250,
  },
  {
    name: '@onceward/client/urql',
    input: join(fixtures, 'urql.ts'),
    external: /^@urql\//,
    contains: ['/packages/client/src/urql/idempotency-exchange.ts', minter],
    budgetBytes: 6_450,
  },
  {
    name: '@onceward/client/fetch',
    input: join(sources, 'fetch/index.ts'),
    external: /^$/,
    contains: ['/packages/client/src/fetch/idempotent-fetch.ts', minter],
    budgetBytes: 6_200,
  },
  {
    name: 'a journal beyond @onceward/client/trpc',
    input: join(fixtures, 'trpc-with-journal.ts'),
    beyond: join(fixtures, 'trpc.ts'),
    external: /^@trpc\//,
    contains: ['/packages/client/src/journal/journal.ts'],
    budgetBytes: 6_000,
  },
  {
    name: 'what ties a journal to @onceward/client/apollo',
    input: join(fixtures, 'apollo-with-journal.ts'),
    beyond: join(fixtures, 'apollo-and-journal.ts'),
    external: /^@apollo\//,
    contains: ['/packages/client/src/apollo/apollo-channel.ts'],
    budgetBytes: 850,
  },
  {
    name: 'what ties a journal to @onceward/client/urql',
    input: join(fixtures, 'urql-with-journal.ts'),
    beyond: join(fixtures, 'urql-and-journal.ts'),
    external: /^@urql\//,
    contains: ['/packages/client/src/urql/urql-channel.ts'],
    budgetBytes: 850,
  },
  {
    name: '@onceward/client/indexeddb',
    input: join(sources, 'indexeddb/index.ts'),
    external: /^$/,
    contains: [
      '/packages/client/src/indexeddb/indexeddb-journal.ts',
      '/packages/client/src/tabs/open-tabs.ts',
    ],
    ofCore: ['/packages/core/src/clock.ts'],
    budgetBytes: 2_000,
  },
  {
    // Of a page and of its service worker, which bring the journal.
    name: '@onceward/client/service-worker',
    input: join(sources, 'service-worker/index.ts'),
    external: /^$/,
    contains: [
      '/packages/client/src/service-worker/deliver-on-background-sync.ts',
      '/packages/client/src/service-worker/register-background-sync.ts',
    ],
    ofJournal: [
      '/packages/client/src/journal/journal-record.ts',
      '/packages/client/src/journal/network.ts',
    ],
    ofCore: ['/packages/core/src/clock.ts'],
    budgetBytes: 1_550,
  },
  {
    // The journal comes with the link, and not from here.
    name: '@onceward/client/react',
    input: join(sources, 'react/index.ts'),
    external: /^react$/,
    contains: ['/packages/client/src/react/use-journaled-mutation.ts'],
    ofJournal: ['/packages/client/src/journal/journal-record.ts'],
    ofCore: [],
    budgetBytes: 1_000,
  },
];

describe.each(entries)('$name', (entry) => {
  const { budgetBytes } = entry;

  test('stays within its budget', async () => {
    const { input, beyond } = entry;
    const bytes = (await sizeOf(input, entry)) - (beyond ? await sizeOf(beyond, entry) : 0);
    expect(bytes, `${bytes} bytes, of ${budgetBytes}`).toBeLessThanOrEqual(budgetBytes);
    // A budget that nobody notices is met by anything.
    expect(bytes, `${bytes} bytes: lower the budget`).toBeGreaterThan(budgetBytes - 500);
  });

  test('brings along only what it uses', async () => {
    const { modules } = await bundle(entry.input, entry);
    const rendered = Object.entries(modules).filter(([, { code }]) => code);
    const names = rendered.map(([path]) => path.slice(root.length));
    expect(names).toEqual(expect.arrayContaining(entry.contains));
    expect(
      names.filter((name) => /node_modules|\/errors\/|\/store\/|create-delivery/.test(name)),
    ).toEqual([]);
    const from = (folder: string) => names.filter((name) => name.startsWith(folder));
    if (entry.ofCore) expect(from('/packages/core/')).toEqual(entry.ofCore);
    if (entry.ofJournal) expect(from('/packages/client/src/journal/')).toEqual(entry.ofJournal);
  });
});

async function sizeOf(input: string, entry: Entry): Promise<number> {
  const { code } = await bundle(input, entry);
  return gzipSync(code, { level: 9 }).length;
}

async function bundle(input: string, { external }: Entry): Promise<Rolldown.OutputChunk> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['@onceward/source', ...defaultClientConditions] },
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input, preserveEntrySignatures: 'strict', external },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !('output' in output)) throw new Error('Vite built nothing');
  return output.output[0];
}
