import { setTimeout } from 'node:timers/promises';
import { mintKey } from '@onceward/core';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { failingStore } from '../../../../test/support/failing-store.ts';
import {
  keyed,
  openYoga,
  payment,
  type Sent,
  type YogaFixtureOptions,
} from '../../test/yoga-fixture.ts';
import { memoryStore } from '../memory/memory-store.ts';

const json = 'application/json';
const graphqlResponse = 'application/graphql-response+json';

describe.each([json, graphqlResponse, undefined])('with Accept: %s', (accept) => {
  test('a missing key is 400', async () => {
    const { send, effects } = openYoga();
    expectRefusal(await send(payment, { accept }), 400, 'IDEMPOTENCY_KEY_MISSING');
    expect(effects).toEqual([]);
  });

  test('a malformed key is 400', async () => {
    const { send } = openYoga();
    const sent = await send(payment, { accept, key: 'no-key' });
    expectRefusal(sent, 400, 'IDEMPOTENCY_KEY_INVALID');
    expect(sent.body.errors[0].extensions.idempotency.details).toEqual({ problem: 'not-uuid-v7' });
  });

  test('two keys that disagree are 400', async () => {
    const { send } = openYoga();
    const sent = await send({ ...payment, ...keyed(mintKey()) }, { accept, key: mintKey() });
    expectRefusal(sent, 400, 'IDEMPOTENCY_KEY_INVALID');
    expect(sent.body.errors[0].extensions.idempotency.details).toEqual({ problem: 'disagreeing' });
  });

  test('several marked fields are 400, with a key or without, and none is executed', async () => {
    const { send, effects } = openYoga();
    const query = 'mutation { a: pay(cents: 1) { id } b: pay(cents: 2) { id } }';
    const sent = await send({ query }, { accept, key: mintKey() });
    expectRefusal(sent, 400, 'IDEMPOTENCY_MULTIPLE_FIELDS');
    expect(sent.body.errors[0].extensions.idempotency.details).toEqual({ fields: ['a', 'b'] });
    expectRefusal(await send({ query }, { accept }), 400, 'IDEMPOTENCY_MULTIPLE_FIELDS');
    expect(effects).toEqual([]);
  });

  test('an attempt that is still executing is 409, with when to come back', async () => {
    const started = deferred();
    const { promise, resolve } = deferred();
    const { send } = openYoga({
      mutations: { pay: async () => (started.resolve(), await promise, { id: '1' }) },
    });
    const key = mintKey();
    const first = send(payment, { key });
    await started.promise;
    const second = await send(payment, { accept, key });
    expectRefusal(second, 409, 'IDEMPOTENCY_IN_PROGRESS');
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(second.body.errors[0].extensions.idempotency.details.retryAfterMs).toBeGreaterThan(0);
    resolve();
    expect((await first).status).toBe(200);
  });

  test('a key that was used for something else is 422', async () => {
    const { send, effects } = openYoga();
    const key = mintKey();
    await send(payment, { key });
    const sent = await send({ ...payment, variables: { cents: 6 } }, { accept, key });
    expectRefusal(sent, 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(effects).toHaveLength(1);
  });

  test('an answer that could not be stored is 410, and executed once', async () => {
    const { send, effects } = openYoga({ idempotency: { maxAnswerBytes: 10 } });
    const key = mintKey();
    expect((await send(payment, { key })).status).toBe(200);
    expectRefusal(await send(payment, { accept, key }), 410, 'IDEMPOTENCY_RESPONSE_UNAVAILABLE');
    expect(effects).toHaveLength(1);
  });

  test('a key older than our memory is 410', async () => {
    const { send, effects } = openYoga();
    const key = '01900000-0000-7000-8000-000000000000';
    expectRefusal(await send(payment, { accept, key }), 410, 'IDEMPOTENCY_KEY_EXPIRED');
    expect(effects).toEqual([]);
  });

  test('a store that does not answer is 503, with when to come back', async () => {
    const line = failingStore(memoryStore());
    line.fail('reserve', 'lost-request');
    const { send, effects } = openYoga({ store: line.store });
    const sent = await send(payment, { accept, key: mintKey() });
    expectRefusal(sent, 503, 'IDEMPOTENCY_STORE_UNAVAILABLE');
    expect(sent.headers.get('retry-after')).toBe('1');
    expect(effects).toEqual([]);
  });
});

describe('with `status: spec`', () => {
  const options: YogaFixtureOptions = { idempotency: { status: 'spec' } };

  test('application/json gets 200, and the code in the body', async () => {
    const { send } = openYoga(options);
    expectRefusal(await send(payment, { accept: json }), 200, 'IDEMPOTENCY_KEY_MISSING');
  });

  test('application/graphql-response+json gets the status', async () => {
    const { send } = openYoga(options);
    expectRefusal(await send(payment, { accept: graphqlResponse }), 400, 'IDEMPOTENCY_KEY_MISSING');
  });
});

test('a misspelt option is refused', () => {
  expect(() => openYoga({ idempotency: { status: 'https' as 'http' } })).toThrow(/`status`/);
  expect(() => openYoga({ idempotency: { incremental: 'both' as 'refuse' } })).toThrow(
    /`incremental`/,
  );
  expect(() => openYoga({ idempotency: { scope: 'alice' as never } })).toThrow(/`scope`/);
});

describe('a batch', () => {
  const options: YogaFixtureOptions = { batching: true };

  test('has a key per operation, no status and no headers', async () => {
    const { send, effects } = openYoga(options);
    const [one, two] = [mintKey(), mintKey()];
    await send({ ...payment, ...keyed(one) });
    const sent = await send([
      { ...payment, ...keyed(one) },
      { ...payment, variables: { cents: 6 }, ...keyed(one) },
      { ...payment, ...keyed(two) },
      payment,
    ]);
    expect(sent.status).toBe(200);
    expect(sent.headers.get('idempotent-replayed')).toBeNull();
    expect(sent.headers.get('retry-after')).toBeNull();
    expect(sent.text).not.toContain('"http"');
    const [replayed, reused, fresh, missing] = sent.body;
    expect(replayed.extensions.idempotency.replayed).toBe(true);
    expect(reused.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(fresh.extensions.idempotency.replayed).toBe(false);
    expect(missing.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_MISSING');
    expect(effects).toHaveLength(2);
  });

  test('with the same key twice executes once', async () => {
    const { send, effects } = openYoga(options);
    const body = { ...payment, ...keyed(mintKey()) };
    const sent = await send([body, body]);
    const codes = sent.body.map((each: Sent['body']) => each.errors?.[0].extensions.code);
    expect(codes).toEqual(expect.arrayContaining([undefined, 'IDEMPOTENCY_IN_PROGRESS']));
    expect(effects).toHaveLength(1);
  });

  test('cannot share the key of a header, unless it is a batch of one', async () => {
    const { send, effects } = openYoga(options);
    const sent = await send([payment, { query: '{ greeting }' }], { key: mintKey() });
    expect(sent.body[0].errors[0].extensions.idempotency.details).toEqual({
      problem: 'one-key-for-a-batch',
    });
    expect(sent.body[1]).toEqual({ data: { greeting: null } });
    const single = await send([payment], { key: mintKey() });
    expect(single.body[0].data.pay).toEqual({ id: '1', cents: 5 });
    expect(effects).toHaveLength(1);
  });
});

test('a batch cannot share the key of a header, however late its other operations begin', async () => {
  const slow: Plugin = {
    async onParams({ params }) {
      if (params.variables?.['cents'] === 6) await setTimeout(20);
    },
  };
  const { send, effects } = openYoga({
    batching: true,
    plugins: (idempotency) => [idempotency, slow],
  });
  const batch = [payment, { ...payment, variables: { cents: 6 } }];
  const sent = await send(batch, { key: mintKey() });
  const problems = (sent.body as Sent['body'][]).map(
    (each) => each.errors[0].extensions.idempotency.details.problem,
  );
  expect(problems).toEqual(['one-key-for-a-batch', 'one-key-for-a-batch']);
  expect(effects).toEqual([]);
});

describe.each(['text/event-stream', 'multipart/mixed'])('over %s', (accept) => {
  test('replays and refusals look the same, with their headers and without internals', async () => {
    const { send } = openYoga();
    const key = mintKey();
    await send(payment, { key });
    const replayed = await send(payment, { accept, key });
    expect(replayed.status).toBe(200);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.text).toContain('"replayed":true');
    const refused = await send(payment, { accept });
    expect(refused.text).toContain('"IDEMPOTENCY_KEY_MISSING"');
    expect(replayed.text + refused.text).not.toContain('"http"');
  });
});

test('a mutation by GET is 405, as without the plugin', async () => {
  const { yoga, effects } = openYoga();
  const response = await yoga.fetch('http://localhost/graphql?query=mutation{pay(cents:1){id}}', {
    headers: { 'idempotency-key': mintKey() },
  });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
  expect(effects).toEqual([]);
});

test('a browser on another origin reads the facts in the body', async () => {
  const { send } = openYoga({ allowedHeaders: { response: ['content-type'] } });
  const key = mintKey();
  await send(payment, { key });
  const sent = await send(payment, { key });
  expect(sent.headers.get('idempotent-replayed')).toBeNull();
  expect(sent.body.extensions.idempotency.replayed).toBe(true);
});

test('a server that drops the header refuses, rather than to execute unprotected', async () => {
  const { send, effects } = openYoga({ allowedHeaders: { request: ['content-type'] } });
  expectRefusal(await send(payment, { key: mintKey() }), 400, 'IDEMPOTENCY_KEY_MISSING');
  expect(effects).toEqual([]);
});

function expectRefusal(sent: Sent, status: number, code: string): void {
  expect({ status: sent.status, body: sent.body }).toEqual({
    status,
    body: {
      errors: [
        {
          message: expect.any(String),
          extensions: { code, idempotency: expect.objectContaining({ code }) },
        },
      ],
    },
  });
}
