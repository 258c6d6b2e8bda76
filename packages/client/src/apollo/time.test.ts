import { ApolloLink, HttpLink } from '@apollo/client';
import { Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { openApolloClient, PAY } from '../../test/apollo-client.ts';
import { peek } from '../../test/delivery-fixture.ts';
import { type Fault, openGraphQLServer } from '../../test/graphql-server.ts';
import { deliveryErrorOf } from './index.ts';

const nowhere = { url: 'http://127.0.0.1:9' };
const answer = { data: { pay: { __typename: 'Payment', id: 'p1', cents: 12 } } };

test('an attempt that hangs is aborted when its time is up, and followed by another', async () => {
  const clock = createVirtualClock();
  const ended: number[] = [];
  let attempts = 0;
  const below = new ApolloLink(() => {
    const attempt = ++attempts;
    return new Observable((observer) => {
      if (attempt > 1) {
        observer.next(answer);
        observer.complete();
      }
      return () => void ended.push(attempt);
    });
  });
  const { pay } = openApolloClient(nowhere, { below, clock, attemptTimeoutMs: 1_000 });
  const paying = pay();
  await clock.advance(999);
  expect(ended).toEqual([]);
  await clock.advance(1);
  expect(ended[0]).toBe(1);
  await clock.advance(1_000);
  await expect(paying).resolves.toMatchObject(answer);
  expect(clock.pending()).toBe(0);
});

test('a request that the server never answers is closed', async () => {
  const clock = createVirtualClock();
  const arrived = deferred();
  const closed = deferred();
  const hang: Fault = (response) => {
    response.on('close', () => closed.resolve());
    arrived.resolve();
  };
  await using server = await openGraphQLServer({ faults: [hang] });
  const { pay, failures } = openApolloClient(server, { clock, attemptTimeoutMs: 1_000 });
  const paying = pay();
  await arrived.promise;
  await clock.advance(1_000);
  await closed.promise;
  await clock.advance(1);
  await expect(paying).resolves.toHaveProperty('data.pay.cents', 12);
  expect(failures()).toEqual([{ kind: 'timeout' }]);
});

test('what the server says about coming back is a floor', async () => {
  const clock = createVirtualClock();
  let attempts = 0;
  const response = new Response(null, { status: 503, headers: { 'retry-after': '7' } });
  const below = new ApolloLink((operation) => {
    attempts++;
    operation.setContext({ response });
    return new Observable((observer) => {
      observer.next({ errors: [{ message: 'down' }] } as never);
      observer.complete();
    });
  });
  const { pay } = openApolloClient(nowhere, { below, clock, maxAttempts: 2 });
  const paying = peek(pay());
  await clock.advance(6_999);
  expect(attempts).toBe(1);
  await clock.advance(1);
  expect(attempts).toBe(2);
  expect(paying.state).toBe('rejected');
});

test('the signal of a call ends it within 50 ms, as an AbortError', async () => {
  const arrived = deferred();
  const closed = deferred();
  const hang: Fault = (response) => {
    response.on('close', () => closed.resolve());
    arrived.resolve();
  };
  await using server = await openGraphQLServer({ faults: [hang] });
  const controller = new AbortController();
  const { pay } = openApolloClient(server);
  const paying = pay({ fetchOptions: { signal: controller.signal } });
  await arrived.promise;
  const startedAt = performance.now();
  controller.abort();
  const error = await paying.catch((thrown: unknown) => thrown);
  expect(performance.now() - startedAt).toBeLessThan(50);
  expect(error).toMatchObject({ name: 'AbortError' });
  expect(deliveryErrorOf(error)).toMatchObject({ reason: 'aborted', execution: 'possible' });
  await closed.promise;
  expect(server.requests).toHaveLength(1);
});

test('a signal that is aborted already sends nothing', async () => {
  await using server = await openGraphQLServer();
  const { pay } = openApolloClient(server);
  const error = await pay({ fetchOptions: { signal: AbortSignal.abort() } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(deliveryErrorOf(error)).toMatchObject({ reason: 'aborted', execution: 'none' });
  expect(server.requests).toEqual([]);
});

test('unsubscribing ends the attempt and the waiting', async () => {
  const clock = createVirtualClock();
  const ended = deferred();
  const below = new ApolloLink(() => new Observable(() => () => ended.resolve()));
  const { client, events } = openApolloClient(nowhere, { below, clock });
  const subscription = ApolloLink.execute(client.link, { query: PAY }, { client }).subscribe({});
  await clock.advance(0);
  subscription.unsubscribe();
  await ended.promise;
  await clock.advance(60_000);
  expect(events.filter(({ kind }) => kind === 'attempt-started')).toHaveLength(1);
  expect(clock.pending()).toBe(0);
});

test('the answer to an attempt that is over does not reach the next one', async () => {
  const clock = createVirtualClock();
  const late: ApolloLink.Operation[] = [];
  const below = new ApolloLink((operation) => {
    late.push(operation);
    return new Observable<never>(() => {});
  });
  const { pay, failures, waits } = openApolloClient(nowhere, {
    below,
    clock,
    attemptTimeoutMs: 1_000,
    maxAttempts: 2,
  });
  const paying = peek(pay());
  await clock.advance(1_001);
  late[0]?.setContext({ response: new Response(null, { status: 503 }) });
  expect(late[1]?.getContext().response).toBeUndefined();
  await clock.advance(1_000);
  expect(paying.state).toBe('rejected');
  expect(failures()).toEqual([{ kind: 'timeout' }, { kind: 'timeout' }]);
  expect(waits()).toEqual([0]);
});

test('a result in parts is given on when the last one has come', async () => {
  const part = (result: object) => result as ApolloLink.Result;
  const parts = [
    part({ data: { pay: { __typename: 'Payment', id: 'p1' } }, hasNext: true }),
    part({ incremental: [{ path: ['pay'], data: { cents: 12 } }], hasNext: false }),
  ];
  let attempts = 0;
  const below = new ApolloLink(() => {
    const cut = ++attempts === 1;
    return new Observable((observer) => {
      observer.next(parts[0]!);
      if (cut) return observer.error(new Error('premature end of multipart body'));
      observer.next(parts[1]!);
      observer.complete();
    });
  });
  const { client } = openApolloClient(nowhere, { below });
  const seen: unknown[] = [];
  await new Promise<void>((complete, error) => {
    ApolloLink.execute(client.link, { query: PAY }, { client }).subscribe({
      next: (result) => void seen.push(result),
      error,
      complete,
    });
  });
  expect(attempts).toBe(2);
  expect(seen).toEqual(parts);
});

test('the cache is written once, whatever the attempts brought', async () => {
  const reset: Fault = (_, request) => void request.socket.destroy();
  await using server = await openGraphQLServer({ faults: [reset, reset] });
  const { client } = openApolloClient(server, { below: new HttpLink({ uri: server.url }) });
  let updates = 0;
  await client.mutate({
    mutation: PAY,
    variables: { cents: 12 },
    optimisticResponse: { pay: { __typename: 'Payment', id: 'p1', cents: 12 } },
    update: () => void updates++,
  });
  // Once for the optimistic response, once for the real one.
  expect(updates).toBe(2);
  expect(client.cache.extract()).toHaveProperty('Payment:p1', {
    __typename: 'Payment',
    id: 'p1',
    cents: 12,
  });
});
