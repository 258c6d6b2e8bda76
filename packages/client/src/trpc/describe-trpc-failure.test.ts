import { IdempotencyError } from '@onceward/core';
import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { HttpStatusError } from '../http-status-error.ts';
import { describeTrpcFailure } from './describe-trpc-failure.ts';

const inProgress = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 5 }).toJSON();
const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
const none = { retryAfter: null, date: null };

/** An error of the server, as tRPC's links throw it. */
function answer(data: object | undefined, status?: number, headers: Record<string, string> = {}) {
  const error = { code: -32_600, message: 'no', data: data as never };
  const response = new Response(null, { headers, ...(status && { status }) });
  return TRPCClientError.from({ error }, status ? { meta: { response } } : {});
}

/** What a link throws without an error of the server. */
function thrown(cause: object, status?: number, headers: Record<string, string> = {}) {
  const response = new Response(null, { headers, ...(status && { status }) });
  return TRPCClientError.from(cause, status ? { meta: { response } } : {});
}

test.each([
  ['a code of the table', answer({ idempotency: inProgress, httpStatus: 409 }, 409)],
  ['a code that was accepted', answer({ idempotency: inProgress, httpStatus: 202 }, 202)],
  ['a code in a batch', answer({ idempotency: inProgress, httpStatus: 409 }, 207)],
])('%s is read from the body', (_, error) => {
  const failure = describeTrpcFailure(error);
  expect(failure).toEqual({ kind: 'idempotency', error: inProgress, headers: none });
});

test('a code comes with the headers that say when to come back', () => {
  const headers = { 'Retry-After': '7', Date: date };
  const failure = describeTrpcFailure(answer({ idempotency: inProgress }, 409, headers));
  expect(failure).toMatchObject({ headers: { retryAfter: '7', date } });
});

test('a code needs no response: sockets have none', () => {
  const failure = describeTrpcFailure(answer({ idempotency: inProgress, httpStatus: 409 }));
  expect(failure).toEqual({ kind: 'idempotency', error: inProgress, headers: {} });
});

test('a code of a newer server is passed on with its advice', () => {
  const newer = { code: 'IDEMPOTENCY_NEW', message: '', retry: 'same-key', details: {} };
  const failure = describeTrpcFailure(answer({ idempotency: newer, httpStatus: 409 }, 409));
  expect(failure).toMatchObject({ kind: 'idempotency', error: newer });
});

test.each([
  ['a word', 'IDEMPOTENCY_IN_PROGRESS'],
  ['null', null],
  ['an object without a code', { details: {} }],
  ['an object without details', { code: 'IDEMPOTENCY_IN_PROGRESS' }],
  ['details that are null', { code: 'IDEMPOTENCY_IN_PROGRESS', details: null }],
])('%s is no code of the table', (_, idempotency) => {
  const failure = describeTrpcFailure(answer({ idempotency, httpStatus: 409 }, 409));
  expect(failure).toMatchObject({ kind: 'http', status: 409 });
});

test('in a batch, the status of the operation counts, not that of the response', () => {
  const headers = { 'Retry-After': '7' };
  expect(describeTrpcFailure(answer({ httpStatus: 503 }, 207, headers))).toEqual({
    kind: 'http',
    status: 503,
    headers: { retryAfter: '7', date: null },
  });
});

test('an error of the server comes before what caused it', () => {
  const cause = new HttpStatusError(new Response(null, { status: 502 }));
  const error = { code: -32_600, message: 'no', data: { httpStatus: 400 } as never };
  const failure = describeTrpcFailure(TRPCClientError.from({ error }, { cause }));
  expect(failure).toMatchObject({ kind: 'http', status: 400 });
});

test('an error whose formatter left out the status is an answer', () => {
  expect(describeTrpcFailure(answer(undefined, 200))).toEqual({ kind: 'answered' });
  expect(describeTrpcFailure(answer(undefined))).toEqual({ kind: 'answered' });
});

test('an error whose formatter left out the status has that of its response', () => {
  expect(describeTrpcFailure(answer(undefined, 503))).toMatchObject({ kind: 'http', status: 503 });
});

test('an error page is found behind any number of causes', () => {
  const headers = { 'Retry-After': '7', Date: date };
  const page = new HttpStatusError(new Response(null, { status: 502, headers }));
  const wrapped = new Error('fetch failed', { cause: page });
  for (const error of [page, thrown(page), thrown(wrapped)]) {
    const failure = { kind: 'http', status: 502, headers: { retryAfter: '7', date } };
    expect(describeTrpcFailure(error)).toEqual(failure);
  }
});

test('an error that is its own cause is survived', () => {
  const error = new Error('round');
  error.cause = error;
  expect(describeTrpcFailure(error)).toEqual({ kind: 'network' });
});

test('JSON of a gateway has its status and its headers', () => {
  const error = thrown(new Error('Unable to transform response'), 429, { 'Retry-After': '7' });
  const headers = { retryAfter: '7', date: null };
  expect(describeTrpcFailure(error)).toEqual({ kind: 'http', status: 429, headers });
});

test('a response without headers, of a fetch of the user, is survived', () => {
  const error = TRPCClientError.from(new Error('odd'), { meta: { response: { ok: false } } });
  expect(describeTrpcFailure(error)).toEqual({ kind: 'network' });
});

test.each([
  ['JSON that is no answer, with 200', thrown(new Error('Unable to transform response'), 200)],
  ['a page with 200', thrown(new SyntaxError('Unexpected token <'))],
  ['a batch that is too short', thrown(new Error('Missing result'))],
  ['a stream that ended early', thrown(new Error('Stream closed before head was received'))],
])('%s is no answer', (_, error) => {
  expect(describeTrpcFailure(error)).toEqual({ kind: 'no-answer' });
});

test.each([
  ['a connection that failed', thrown(new TypeError('fetch failed'))],
  ['a socket that closed', thrown({ type: 'close', code: 1006 })],
  ['an abort of the transport', thrown(new DOMException('aborted', 'AbortError'))],
  ['an error of another link', new Error('odd')],
  ['a word', 'odd'],
  ['nothing', undefined],
  ['null', null],
])('%s is a network error', (_, error) => {
  expect(describeTrpcFailure(error)).toEqual({ kind: 'network' });
});
