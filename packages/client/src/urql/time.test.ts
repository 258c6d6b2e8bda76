import { type Exchange, makeOperation, mapExchange, type Operation } from '@urql/core';
import { expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { type Fault, openGraphQLServer } from '../../test/graphql-server.ts';
import { openUrqlClient, PAY } from '../../test/urql-client.ts';
import type { DeliveryEvent } from '../delivery-event.ts';
import { deliveryErrorOf } from './index.ts';

function hanging() {
  const arrived = deferred();
  const closed = deferred();
  const fault: Fault = (response) => {
    response.on('close', () => closed.resolve());
    arrived.resolve();
  };
  return { arrived: arrived.promise, closed: closed.promise, fault };
}

test('an attempt that hangs is closed when its time is up, and followed by another', async () => {
  const clock = createVirtualClock();
  const { arrived, closed, fault } = hanging();
  await using server = await openGraphQLServer({ faults: [fault] });
  const { pay, failures } = openUrqlClient(server, { clock, attemptTimeoutMs: 1_000 });
  const paying = pay();
  await arrived;
  await clock.advance(1_000);
  await closed;
  await clock.advance(1);
  expect((await paying).data).toHaveProperty('pay.cents', 12);
  expect(failures()).toEqual([{ kind: 'timeout' }]);
  expect(clock.pending()).toBe(0);
});

test('ending the attempt of one mutation leaves its equal alone', async () => {
  const clock = createVirtualClock();
  const { arrived, closed, fault } = hanging();
  const held = deferred();
  const second = deferred();
  const slow: Fault = (response) => {
    second.resolve();
    void held.promise.then(() =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"data":{"pay":{"id":"slow"}}}'),
    );
  };
  await using server = await openGraphQLServer({ faults: [fault, slow] });
  const { client } = openUrqlClient(server, { clock, attemptTimeoutMs: 1_000 });
  const pay = () => client.mutation(PAY, { cents: 12 }).toPromise();
  const first = pay();
  await arrived;
  await clock.advance(500);
  const other = pay();
  await second.promise;
  await clock.advance(500);
  await closed;
  held.resolve();
  expect((await other).data).toEqual({ pay: { id: 'slow' } });
  await clock.advance(1);
  expect((await first).data).toHaveProperty('pay.id', 'p1');
});

test('an attempt that nothing answers is a network error with the reason as its cause', async () => {
  const clock = createVirtualClock();
  const silent: Exchange = () => () => () => {};
  const { pay } = openUrqlClient(
    { url: 'http://127.0.0.1:9' },
    { clock, below: silent, attemptTimeoutMs: 1_000, maxAttempts: 1 },
  );
  const paying = pay();
  await clock.advance(1_000);
  const { error } = await paying;
  expect(error?.networkError).toBe(deliveryErrorOf(error));
  expect(deliveryErrorOf(error)?.reason).toBe('attempts');
});

test('a teardown ends the delivery within 50 ms, and no result follows', async () => {
  const { arrived, closed, fault } = hanging();
  await using server = await openGraphQLServer({ faults: [fault] });
  const results: unknown[] = [];
  const above = [mapExchange({ onResult: (result) => void results.push(result) })];
  const ended = deferred();
  const onEvent = ({ kind }: DeliveryEvent) => kind === 'intent-settled' && ended.resolve();
  const { client, settled } = openUrqlClient(server, { above, onEvent });
  const request = client.createRequestOperation('mutation', operationOf());
  void client.executeRequestOperation(request).toPromise();
  await arrived;
  const startedAt = performance.now();
  client.reexecuteOperation(makeOperation('teardown', request));
  await ended.promise;
  expect(performance.now() - startedAt).toBeLessThan(50);
  await closed;
  expect(settled()).toEqual(['aborted']);
  expect(results).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

test('a result in parts is given on when the last one has come', async () => {
  const parts = [
    '{"data":{"pay":{"id":"p1"}},"hasNext":true}',
    '{"incremental":[{"path":["pay"],"data":{"cents":12}}],"hasNext":false}',
  ];
  const body = [...parts.map((part) => `\r\n---\r\ncontent-type: application/json\r\n\r\n${part}`)];
  const type = { 'content-type': 'multipart/mixed; boundary="-"' };
  const cut: Fault = (response, request) => {
    response.writeHead(200, type);
    response.write(`${body[0]}\r\n---`, () => request.socket.destroy());
  };
  const whole: Fault = (response) =>
    void response.writeHead(200, type).end(`${body.join('')}\r\n-----\r\n`);
  await using server = await openGraphQLServer({ faults: [cut, whole] });
  const { data, error } = await openUrqlClient(server).pay();
  expect(error).toBeUndefined();
  expect(data).toEqual({ pay: { id: 'p1', cents: 12 } });
  expect(server.requests).toHaveLength(2);
});

function operationOf(): Pick<Operation, 'key' | 'query' | 'variables'> {
  return { key: 1, query: PAY, variables: { cents: 12 } };
}
