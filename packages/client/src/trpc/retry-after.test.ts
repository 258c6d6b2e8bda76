import { IdempotencyError } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import {
  type HttpLinkName,
  httpLinkNames,
  httpLinks,
  openTrpcClient,
} from '../../test/trpc-client.ts';
import {
  fail,
  type Fault,
  openTrpcServer,
  paid,
  refuse,
  type TrpcScript,
} from '../../test/trpc-server.ts';
import { statusAwareFetch } from './status-aware-fetch.ts';

/** Every other link hides the headers of an answer of tRPC, or of JSON. */
const linksWithHeaders: HttpLinkName[] = ['httpLink', 'httpBatchLink'];
const minutes = 60_000;

test.each(httpLinkNames)('%s: the `Retry-After` of an error page is heeded', async (name) => {
  const page: Fault = (response) =>
    void response.writeHead(503, { 'retry-after': '9' }).end('<html>');
  expect(await waitsAfter(name, { faults: [page] })).toEqual([9_000]);
});

test.each(linksWithHeaders)('%s: that of JSON of a gateway is heeded', async (name) => {
  const headers = { 'content-type': 'application/json', 'retry-after': '9' };
  const json: Fault = (response) =>
    void response.writeHead(429, headers).end('{"message":"later"}');
  expect(await waitsAfter(name, { faults: [json] })).toEqual([9_000]);
});

test.each(linksWithHeaders)('%s: that of an answer of tRPC is heeded', async (name) => {
  const answers = [fail('SERVICE_UNAVAILABLE'), paid];
  expect(await waitsAfter(name, { answers, responseHeaders: { 'retry-after': '9' } })).toEqual([
    9_000,
  ]);
});

test.each(httpLinkNames)('%s: what the body says comes before the header', async (name) => {
  const quota = new IdempotencyError('IDEMPOTENCY_QUOTA_EXCEEDED', { retryAfterMs: 2_500 });
  const answers = [refuse(quota, 'TOO_MANY_REQUESTS'), paid];
  expect(await waitsAfter(name, { answers, responseHeaders: { 'retry-after': '9' } })).toEqual([
    2_500,
  ]);
});

describe.each([
  ['five minutes ahead', 5 * minutes],
  ['five minutes behind', -5 * minutes],
])('on a device that is %s', (_, skewMs) => {
  test.each(httpLinkNames)('%s: a date is measured against that of the response', async (name) => {
    const now = Date.UTC(2026, 0, 1);
    const page: Fault = (response) => {
      const headers = { date: httpDate(now), 'retry-after': httpDate(now + 7_000) };
      response.writeHead(503, headers).end('<html>');
    };
    expect(await waitsAfter(name, { faults: [page] }, now + skewMs)).toEqual([7_000]);
  });
});

/** How long a client waits, without jitter, for a server that answers its second attempt. */
async function waitsAfter(name: HttpLinkName, script: TrpcScript, now?: number): Promise<number[]> {
  await using server = await openTrpcServer(script);
  const clock = createVirtualClock(now);
  const { client, waits } = openTrpcClient(httpLinks[name](server.url, statusAwareFetch()), {
    clock,
    random: () => 0,
    deadlineMs: Infinity,
    onEvent: (event) => {
      if (event.kind === 'attempt-waiting') void clock.advance(event.delayMs);
    },
  });
  await expect(client.pay.mutate({ cents: 1 })).resolves.toEqual({ paid: { cents: 1 } });
  return waits();
}

function httpDate(at: number): string {
  return new Date(at).toUTCString();
}
