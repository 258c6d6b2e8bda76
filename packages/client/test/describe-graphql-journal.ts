import { IdempotencyError, mintKey } from '@onceward/core';
import type { JournalStore } from '@onceward/core/journal';
import superjson from 'superjson';
import { describe, expect, test, vi } from 'vitest';
import type {
  JournalContext,
  JournalOptions,
  KeyCarrier,
  MutationJournal,
} from '../src/apollo/index.ts';
import { memoryJournal } from '../src/journal/memory-journal.ts';
import { fail, type GraphQLScript, openGraphQLServer, refuse } from './graphql-server.ts';
import { createMemoryTabs } from './journal-fixture.ts';

/** One page of an application that has a client with a journal. */
export interface GraphQLPage {
  readonly journal: MutationJournal;
  /** What the caller gets: the data, or an error. */
  mutate(text: string, options?: CallOptions): Promise<unknown>;
  /** Any operation: with the first one, some clients can send. */
  ask(): Promise<unknown>;
}

export interface CallOptions {
  readonly variables?: Record<string, unknown>;
  readonly context?: JournalContext & { idempotencyKey?: string | null; route?: string };
}

export interface PageOptions extends JournalOptions {
  /** For its link. */
  readonly keepContext?: string[];
  readonly carrier?: KeyCarrier;
  /** What something above the link adds to every mutation. */
  readonly extensions?: Record<string, unknown>;
  /** Called with the `route` in the context of what is sent. */
  readonly onRoute?: (route: unknown) => void;
}

/** What the kit does for a GraphQL client. */
export interface GraphQLBinding {
  openPage(url: string, options: PageOptions): GraphQLPage;
  parse(text: string): object;
  /** What of an error an application goes by. */
  describeError(error: unknown): object;
}

const PAY = 'mutation Pay($cents: Int, $at: String) { pay(cents: $cents, at: $at) { id cents } }';
const offline = { online: () => false, listen: () => () => {} };
const payment = { pay: { id: 'p1', cents: 12 } };

/** What is true of a journal behind any GraphQL client. */
export function describeGraphQLJournal({ openPage, parse, describeError }: GraphQLBinding): void {
  const open = (
    url: string,
    store: JournalStore = memoryJournal(),
    options: Partial<PageOptions> = {},
  ) => {
    const page = openPage(url, { store, scope: 'alice', baseDelayMs: 1, ...options });
    const pay = (call: CallOptions = {}) => page.mutate(PAY, { variables: { cents: 12 }, ...call });
    return { ...page, pay };
  };

  /** Submits on a page without a network, and closes it. */
  const leaveBehind = async (
    url: string,
    submit: (page: ReturnType<typeof open>) => Promise<unknown>,
    options: Partial<PageOptions> = {},
  ) => {
    const store = memoryJournal();
    const page = open(url, store, { ...options, network: offline });
    submit(page).catch(() => {});
    await vi.waitFor(() => expect(page.journal.records()).toHaveLength(1));
    const [record] = page.journal.records();
    page.journal.close();
    return { store, record: record! };
  };

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
    const { store, record } = await leaveBehind(server.url, ({ pay }) =>
      pay({ context: { journal: { lane: 'account', meta: { title: 'Tea' } } } }),
    );
    expect(record).toMatchObject({ operation: 'Pay', lane: 'account', meta: { title: 'Tea' } });

    const second = open(server.url, store);
    const results: unknown[] = [];
    second.journal.onSettled(parse(PAY), (settled) => {
      results.push(settled.kind === 'succeeded' && settled.result);
    });
    await second.ask();
    await vi.waitFor(() => expect(second.journal.records()).toEqual([]));
    expect(results).toMatchObject([{ data: payment }]);
    expect(server.calls).toEqual([{ keys: { extensions: record.key }, variables: { cents: 12 } }]);
  });

  test('keys come from the journal, so that an engine without crypto needs one source', async () => {
    await using server = await openGraphQLServer();
    const key = mintKey();
    await open(server.url, memoryJournal(), { newKeys: () => () => key }).pay();
    expect(server.keys()).toEqual([key]);
  });

  test('what is kept is what is sent, and not what a parser has noted about it', async () => {
    await using server = await openGraphQLServer();
    const { record } = await leaveBehind(server.url, ({ pay }) => pay());
    expect(record.input).not.toContain('"loc"');
    expect(record.input).not.toContain(PAY);
  });

  test.each(['extensions', 'header', 'both'] as const)(
    'after a restart a key travels as before, in %s',
    async (carrier) => {
      await using server = await openGraphQLServer();
      const options = { carrier };
      const { store } = await leaveBehind(server.url, ({ pay }) => pay(), options);
      const second = open(server.url, store, options);
      await second.ask();
      await second.journal.drain();
      await second.pay();
      const [later, live] = server.calls.map(({ keys }) => Object.keys(keys));
      expect(later).toEqual(live);
    },
  );

  test('after a restart a mutation has the extensions that it had', async () => {
    await using server = await openGraphQLServer();
    const options = { extensions: { trace: 'abc' } };
    const { store } = await leaveBehind(server.url, ({ pay }) => pay(), options);
    const second = open(server.url, store);
    await second.ask();
    await second.journal.drain();
    expect(server.extensions).toMatchObject([{ trace: 'abc' }]);
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

  const refusal = refuse(new IdempotencyError('IDEMPOTENCY_KEY_REUSED', { operation: 'pay' }));
  test.each<[string, GraphQLScript, object]>([
    ['an error of the application', { answers: [fail('no funds')] }, { message: 'no funds' }],
    [
      'a refusal as JSON',
      { answers: [refusal], mediaType: 'application/json' },
      { code: 'IDEMPOTENCY_KEY_REUSED' },
    ],
    [
      'a refusal as a GraphQL response',
      { answers: [refusal], mediaType: 'application/graphql-response+json' },
      { code: 'IDEMPOTENCY_KEY_REUSED' },
    ],
    [
      'the page of a gateway',
      {
        faults: [(response) => response.writeHead(403, { 'content-type': 'text/html' }).end('no')],
      },
      { status: 403 },
    ],
  ])('%s is the same for a later page', async (_, script, expected) => {
    await using server = await openGraphQLServer(script);
    const store = memoryJournal();
    const first = open(server.url, store);
    first.journal.onSettled('Pay', () => Promise.reject(new Error('not ready')));
    const live = describeError(await first.pay().catch((error: unknown) => error));
    expect(live).toMatchObject(expected);
    first.journal.close();

    const second = open(server.url, store);
    const later: unknown[] = [];
    second.journal.onSettled('Pay', (settled) => {
      later.push(settled.kind === 'failed' && describeError(settled.error));
    });
    await second.ask();
    await vi.waitFor(() => expect(later).toHaveLength(1));
    expect(later).toEqual([live]);
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });

  test('a key in a variable is the one that is sent, also when it was replaced', async () => {
    await using server = await openGraphQLServer();
    const text = `mutation Pay($idempotencyKey: String!) {
      pay(cents: 12) @idempotent(key: $idempotencyKey) { id }
    }`;
    const { store, record } = await leaveBehind(server.url, ({ mutate }) => mutate(text), {
      keyLifetimeMs: 1,
    });
    const second = open(server.url, store);
    await second.ask();
    await vi.waitFor(() => expect(second.journal.records()).toHaveLength(1));
    await second.journal.drain();
    const [{ keys } = { keys: {} as Record<string, string> }] = server.calls;
    expect(keys.variable).toBe(keys.extensions);
    expect(keys.variable).not.toBe(record.key);
  });

  test('a mutation without a key is sent once, and not kept', async () => {
    await using server = await openGraphQLServer({ faults: [(response) => response.destroy()] });
    const { journal, pay } = open(server.url);
    await expect(pay({ context: { idempotencyKey: null } })).rejects.toThrow();
    expect(journal.records()).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('a handler knows a mutation by its name, and not by its text', async () => {
    await using server = await openGraphQLServer();
    const { journal, mutate } = open(server.url);
    const told: string[] = [];
    journal.onSettled(parse('mutation { pay { id } }'), ({ kind }) => told.push(`pay ${kind}`));
    journal.onSettled(parse('mutation Other { pay { id } }'), () => told.push('Other'));
    expect(() => journal.onSettled(PAY, () => {})).toThrow('parsed document');
    await mutate('mutation { pay(cents: 3) { cents } }');
    await vi.waitFor(() => expect(told).toEqual(['pay succeeded']));
  });

  describe('two tabs', () => {
    const openTabs = (url: string) => {
      const store = memoryJournal();
      const connect = createMemoryTabs();
      return [0, 1].map(() => open(url, { ...store, tabs: connect() }));
    };
    const intent = { journal: { intent: 'order 7' } };

    test('with one intent make one request, and both callers get the answer', async () => {
      await using server = await openGraphQLServer();
      const [left, right] = openTabs(server.url);
      const answers = await Promise.all([
        left?.pay({ context: intent }),
        right?.pay({ context: intent }),
      ]);
      expect(answers).toMatchObject([payment, payment]);
      expect(server.requests).toHaveLength(1);
    });

    test('with one intent get the same error', async () => {
      await using server = await openGraphQLServer({ answers: [fail('no funds')] });
      const errors = await Promise.all(
        openTabs(server.url).map(({ pay }) =>
          pay({ context: intent }).catch((error: unknown) => describeError(error)),
        ),
      );
      expect(errors[0]).toMatchObject({ message: 'no funds' });
      expect(errors[1]).toEqual(errors[0]);
      expect(server.requests).toHaveLength(1);
    });

    test('a tab sends what the other has submitted, as that would have', async () => {
      await using server = await openGraphQLServer();
      const [left, right] = openTabs(server.url);
      // It has something pending, so it leads.
      await left?.ask();
      await left?.pay();
      await right?.ask();
      await right?.pay({ variables: { cents: 13 } });
      expect(server.calls.map(({ variables }) => variables)).toEqual([
        { cents: 12 },
        { cents: 13 },
      ]);
      expect(new Set(server.queries).size).toBe(1);
    });
  });

  describe('variables', () => {
    test.each<[string, unknown]>([
      ['a date', new Date(0)],
      ['a number that is none', NaN],
      ['a map', new Map()],
      ['an instance of a class', new URL('http://localhost')],
      ['a function', () => {}],
      ['a file', new File(['receipt'], 'receipt.txt')],
      ['a blob in a list', [new Blob(['receipt'])]],
    ])('%s is refused before anything is kept or sent', async (_, at) => {
      await using server = await openGraphQLServer();
      const { journal, pay } = open(server.url);
      await expect(pay({ variables: { at } })).rejects.toThrow(/as `(at|0)`/);
      expect(journal.records()).toEqual([]);
      expect(server.requests).toEqual([]);
    });

    test.each<[string, unknown]>([
      ['a file', new File(['receipt'], 'receipt.txt')],
      ['a blob in a list', [new Blob(['receipt'])]],
      ['a form', new FormData()],
      ['a buffer', new ArrayBuffer(8)],
    ])('%s is refused although a transformer would take it', async (_, at) => {
      await using server = await openGraphQLServer();
      const { journal, pay } = open(server.url, memoryJournal(), { transformer: superjson });
      await expect(pay({ variables: { at: { at } } })).rejects.toThrow(/no files.* as `(at|0)`/);
      expect(journal.records()).toEqual([]);
      expect(server.requests).toEqual([]);
    });

    test('that are not there are not there later either', async () => {
      await using server = await openGraphQLServer();
      const variables = { cents: 12, at: undefined };
      const { store } = await leaveBehind(server.url, ({ pay }) => pay({ variables }));
      const second = open(server.url, store);
      await second.ask();
      await second.journal.drain();
      await second.pay({ variables });
      const [later, live] = server.calls.map((call) => call.variables);
      expect(later).toEqual(live);
    });

    test('with a transformer, a date is sent later as it would have been at once', async () => {
      await using server = await openGraphQLServer();
      const variables = { cents: 12, at: new Date(5) };
      const options = { transformer: superjson };
      const { store } = await leaveBehind(server.url, ({ pay }) => pay({ variables }), options);
      const second = open(server.url, store, options);
      await second.ask();
      await second.journal.drain();
      await second.pay({ variables });
      const [later, live] = server.calls.map((call) => call.variables);
      expect(later).toEqual({ cents: 12, at: '1970-01-01T00:00:00.005Z' });
      expect(later).toEqual(live);
    });
  });

  describe('a document that has changed with the application', () => {
    const old = 'mutation Pay { pay(cents: 12) { ...Old } } fragment Old on Payment { id cents }';
    const current = 'mutation Pay { pay(cents: 12) { id } }';

    test('is sent as it was, and the handler of the new one gets what it has returned', async () => {
      await using server = await openGraphQLServer();
      const { store } = await leaveBehind(server.url, ({ mutate }) => mutate(old));
      const second = open(server.url, store);
      const results: unknown[] = [];
      second.journal.onSettled(parse(current), (settled) => {
        results.push(settled.kind === 'succeeded' && settled.result);
      });
      await second.ask();
      await vi.waitFor(() => expect(results).toMatchObject([{ data: { pay: { cents: null } } }]));
      expect(server.queries).toEqual([expect.stringContaining('fragment Old on Payment')]);
    });

    test('does not join the one that is running, which is sent as it was', async () => {
      await using server = await openGraphQLServer();
      const context = { journal: { intent: 'order 7' } };
      const { store } = await leaveBehind(server.url, ({ mutate }) => mutate(old, { context }));
      const second = open(server.url, store, { network: offline });
      await expect(second.mutate(current, { context })).rejects.toThrow('conflict');
      expect(second.journal.records()).toHaveLength(1);
      second.journal.close();
    });
  });

  describe('the context of a call', () => {
    const context = { route: 'bank', headers: { authorization: 'Bearer secret' } };
    const routesOf = async (url: string, keepContext: string[] | undefined) => {
      const routes: unknown[] = [];
      const options = {
        ...(keepContext && { keepContext }),
        onRoute: (route: unknown) => routes.push(route),
      };
      const { store, record } = await leaveBehind(url, ({ pay }) => pay({ context }), options);
      const second = open(url, store, options);
      await second.ask();
      await second.journal.drain();
      return { route: routes.at(-1), record };
    };

    test('is gone with its page', async () => {
      await using server = await openGraphQLServer();
      expect(await routesOf(server.url, undefined)).toMatchObject({ route: undefined });
    });

    test('is kept where a link goes by it, and nothing more', async () => {
      await using server = await openGraphQLServer();
      const { route, record } = await routesOf(server.url, ['route']);
      expect(route).toBe('bank');
      expect(record.input).not.toContain('secret');
    });
  });
}
