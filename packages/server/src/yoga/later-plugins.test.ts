import { setTimeout } from 'node:timers/promises';
import { mintKey } from '@onceward/core';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { openYoga, payment } from '../../test/yoga-fixture.ts';

type Result = ExecutionResult<{ pay?: { id: string } | null }> & { data?: unknown };

const changes: [string, (result: Result) => void][] = [
  ['a member', (result) => Object.assign(result.data?.pay ?? {}, { id: 'redacted' })],
  ['all data', (result) => Object.assign(result, { data: { pay: { id: 'redacted' } } })],
  ['data into none', (result) => Object.assign(result, { data: null })],
];

describe('what a plugin changes after all hooks around an execution is sent to everybody:', () => {
  test.each(changes)('%s, in `onResultProcess`', async (_, change) => {
    await expectRedacted({ onResultProcess: ({ result }) => change(result as Result) });
  });

  test.each(changes.slice(0, 2))('%s, in `onExecutionResult`', async (_, change) => {
    await expectRedacted({ onExecutionResult: ({ result }) => change(result as Result) });
  });

  test('a result of its own', async () => {
    await expectRedacted({
      onResultProcess: ({ setResult }) => setResult({ data: { pay: { id: 'redacted' } } }),
    });
  });
});

test('a plugin that copies a result late copies what was stored', async () => {
  const job = { id: '1', cents: 5 };
  const copying: Plugin = {
    async onResultProcess({ result, setResult }) {
      job.id = 'changed';
      await setTimeout(1);
      setResult({ ...(result as ExecutionResult) });
    },
  };
  const { send } = openYoga({
    typeDefs: /* GraphQL */ `
      scalar Json
      type Query {
        ping: Int
      }
      type Mutation {
        pay(cents: Int!): Json @idempotent(effect: EXTERNAL)
      }
    `,
    mutations: { pay: () => job },
    plugins: (idempotency) => [idempotency, copying],
  });
  const key = mintKey();
  const query = { query: 'mutation { pay(cents: 5) }' };
  const sent = [await send(query, { key }), await send(query, { key })];
  expect(sent.map(({ body }) => body.data.pay.id)).toEqual(['1', '1']);
});

async function expectRedacted(plugin: Plugin): Promise<void> {
  const { send } = openYoga({ plugins: (idempotency) => [idempotency, plugin] });
  const key = mintKey();
  const sent = [await send(payment, { key }), await send(payment, { key })];
  const shown = sent.map(({ body }) => body.data);
  expect(shown[0]).toEqual(shown[1]);
  expect(shown[0]?.pay?.id ?? 'redacted').toBe('redacted');
}
