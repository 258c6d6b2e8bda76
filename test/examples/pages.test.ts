import { expect, test } from 'vitest';
import { startExample } from './start-example.ts';

test.concurrent(
  'the page with TanStack Query is served by its command, with its server',
  async () => {
    await using example = await startExample('tanstack-query');
    await expectPageAndServer(example.url);
  },
);

test.concurrent(
  'the page that works offline is served by its command, with its server',
  async () => {
    await using example = await startExample('offline-first');
    await expectPageAndServer(example.url);
  },
);

async function expectPageAndServer(url: string): Promise<void> {
  expect(await textOf(url)).toContain('src="/src/main.tsx"');
  expect(await textOf(new URL('/src/main.tsx', url))).toContain('createRoot');
  expect(await textOf(new URL('/trpc/paymentCount', url))).toContain('"result"');
}

async function textOf(url: string | URL): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}
