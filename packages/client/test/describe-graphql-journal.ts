import type { JournalStore } from '@onceward/core/journal';
import { expect, test, vi } from 'vitest';
import type { Journal, JournalContext, JournalOptions } from '../src/apollo/index.ts';
import { memoryJournal } from '../src/journal/memory-journal.ts';
import { fail, openGraphQLServer } from './graphql-server.ts';

/** One page of an application that has a client with a journal. */
export interface GraphQLPage {
  readonly journal: Journal;
  /** What the caller gets: the data, or an error. */
  pay(context?: JournalContext & { idempotencyKey?: string | null }): Promise<unknown>;
  /** As `pay`, with the key in a variable of the operation. */
  payWithVariable(): Promise<unknown>;
  /** Any operation: with the first one, some clients can send. */
  ask(): Promise<unknown>;
}

export type OpenGraphQLPage = (
  url: string,
  options: Pick<JournalOptions, 'store' | 'scope' | 'network' | 'baseDelayMs'> & {
    keyLifetimeMs?: number;
  },
) => GraphQLPage;

const offline = { online: () => false, listen: () => () => {} };
const payment = { pay: { id: 'p1', cents: 12 } };

/** What is true of a journal behind any GraphQL client. */
export function describeGraphQLJournal(openPage: OpenGraphQLPage): void {
  const open = (url: string, store: JournalStore = memoryJournal(), options: object = {}) =>
    openPage(url, { store, scope: 'alice', baseDelayMs: 1, ...options });

  test('a mutation is delivered under one key through trouble, and leaves nothing behind', async () => {
    await using server = await openGraphQLServer({
      faults: [(response) => response.destroy(), (response) => response.writeHead(503).end()],
    });
    const { journal, pay } = open(server.url);
    await expect(pay()).resolves.toMatchObject(payment);
    expect(server.requests).toHaveLength(3);
    expect(server.keys()).toHaveLength(1);
    await vi.waitFor(() => expect(journal.records()).toEqual([]));
  });

  test('what an earlier page has left is delivered, and a handler gets the answer', async () => {
    await using server = await openGraphQLServer();
    const store = memoryJournal();
    const first = open(server.url, store, { network: offline });
    first.pay({ journal: { lane: 'account', meta: { title: 'Tea' } } }).catch(() => {});
    await vi.waitFor(() => expect(first.journal.records()).toHaveLength(1));
    expect(first.journal.records()).toMatchObject([
      { operation: 'Pay', lane: 'account', meta: { title: 'Tea' } },
    ]);
    const [{ key } = { key: '' }] = first.journal.records();
    first.journal.close();

    const second = open(server.url, store);
    const settled: unknown[] = [];
    second.journal.onSettled('Pay', ({ kind }) => settled.push(kind));
    await second.ask();
    await vi.waitFor(() => expect(second.journal.records()).toEqual([]));
    expect(settled).toEqual(['succeeded']);
    expect(server.calls).toEqual([{ keys: { extensions: key }, variables: { cents: 12 } }]);
  });

  test('an error of the server is given to who waits, and kept for a later page', async () => {
    await using server = await openGraphQLServer({ answers: [fail('no funds')] });
    const store = memoryJournal();
    const first = open(server.url, store);
    first.journal.onSettled('Pay', () => Promise.reject(new Error('not ready')));
    const live = await first.pay().catch((error: unknown) => error);
    first.journal.close();

    const second = open(server.url, store);
    const errors: unknown[] = [];
    second.journal.onSettled('Pay', (settled) => {
      if (settled.kind === 'failed') errors.push(settled.error);
    });
    await second.ask();
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    for (const error of [live, ...errors]) expect(String(error)).toContain('no funds');
    expect(server.calls).toHaveLength(1);
  });

  test('a key in a variable is the one that is sent, also when it was replaced', async () => {
    await using server = await openGraphQLServer();
    const store = memoryJournal();
    const first = open(server.url, store, { network: offline, keyLifetimeMs: 1 });
    first.payWithVariable().catch(() => {});
    await vi.waitFor(() => expect(first.journal.records()).toHaveLength(1));
    const [{ key } = { key: '' }] = first.journal.records();
    first.journal.close();

    const second = open(server.url, store);
    await second.ask();
    await vi.waitFor(() => expect(second.journal.records()).toHaveLength(1));
    await second.journal.drain();
    const [{ keys } = { keys: {} as Record<string, string> }] = server.calls;
    expect(keys.variable).toBe(keys.extensions);
    expect(keys.variable).not.toBe(key);
  });

  test('a mutation without a key is sent once, and not kept', async () => {
    await using server = await openGraphQLServer({ faults: [(response) => response.destroy()] });
    const { journal, pay } = open(server.url);
    await expect(pay({ idempotencyKey: null })).rejects.toThrow();
    expect(journal.records()).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
}
