import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, defaultClientConditions } from 'vite';
import type { Scripts } from './bank.ts';

/** Something that keeps mutations for later. */
export interface Queue {
  readonly name: string;
  /** Whose versions are printed; none for our own. */
  readonly packages: readonly string[];
  /** Its scripts, in `queues`. */
  readonly page: string;
  readonly worker?: string;
  /** What its service worker waits for. */
  readonly syncTag?: string;
}

export const onceward: Queue = { name: 'onceward', packages: [], page: 'onceward' };

export const queues: readonly Queue[] = [
  onceward,
  {
    name: 'TanStack Query persister',
    packages: ['@tanstack/react-query', '@tanstack/query-persist-client-core'],
    page: 'tanstack-query',
  },
  {
    name: 'urql offlineExchange',
    packages: ['@urql/core', '@urql/exchange-graphcache'],
    page: 'urql',
  },
  {
    name: 'Workbox Background Sync',
    packages: ['workbox-background-sync'],
    page: 'workbox',
    worker: 'workbox-worker',
    syncTag: 'workbox-background-sync:payments',
  },
];

export async function scriptsOf({ page, worker }: Queue): Promise<Scripts> {
  return { page: await bundle(page), worker: worker ? await bundle(worker) : '' };
}

export function versionsOf({ packages }: Queue): string[] {
  return packages.map((name) => {
    const manifest = join(import.meta.dirname, '../../node_modules', name, 'package.json');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    return `${name} ${version}`;
  });
}

/** One classic script that defines the global `queue`. */
async function bundle(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    // Bundlers warn of what is in these packages, which is not ours to mend.
    logLevel: 'error',
    resolve: { conditions: ['@onceward/source', ...defaultClientConditions] },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      lib: {
        entry: join(import.meta.dirname, 'queues', `${name}.ts`),
        name: 'queue',
        formats: ['iife'],
      },
    },
  });
  const [output] = Array.isArray(built) ? built : [];
  const [chunk] = output?.output ?? [];
  if (!chunk) throw new Error('Vite built nothing');
  return chunk.code;
}
