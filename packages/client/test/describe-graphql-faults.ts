import { IdempotencyError, type WireError } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import type { DeliveryEvent } from '../src/delivery-event.ts';
import type { Failure } from '../src/failure.ts';
import { deliveryErrorOf } from '../src/graphql/delivery-error-of.ts';
import { wasReplayed } from '../src/graphql/was-replayed.ts';
import {
  fail,
  inProgress,
  mediaTypes,
  openGraphQLServer,
  paid,
  paidBesideRefusal,
  refuse,
  refuseWithCode,
} from './graphql-server.ts';
import { httpFaults } from './http-faults.ts';

/** A client library with ours in it. */
export interface FaultClient {
  readonly events: readonly DeliveryEvent[];
  failures(): Failure[];
  settled(): string[];
  /** Pays 12 cents, once. */
  pay(): Promise<Paid>;
}

/** What the library gave its caller, be it by throwing. */
export interface Paid {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly extensions?: unknown;
}

export interface FaultHarness {
  open(server: { url: string }, options?: { maxAttempts?: number }): FaultClient;
  idempotencyErrorOf(error: unknown): WireError | undefined;
}

const payment = { id: 'p1', cents: 12 };

/** What holds for every GraphQL client on a bad day, whichever library it is. */
export function describeGraphQLFaults({ open, idempotencyErrorOf }: FaultHarness): void {
  test.each(httpFaults)('%s is followed by an attempt with the same key', async (_, fault) => {
    await using server = await openGraphQLServer({ faults: [undefined, fault] });
    const { pay, events } = open(server);
    await pay();
    const { data, error } = await pay();
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ pay: payment });
    const keys = events.filter(({ kind }) => kind === 'attempt-started').map(({ key }) => key);
    expect(keys).toHaveLength(3);
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[1]).toBe(keys[2]);
    expect(server.requests).toHaveLength(3);
    expect(server.keys()).toEqual([keys[0], keys[2]]);
  });

  describe.each(mediaTypes)('as %s', (mediaType) => {
    test('a mutation that still runs is asked for until it is done', async () => {
      const answers = [...Array.from({ length: 6 }, () => inProgress()), paid];
      await using server = await openGraphQLServer({ answers, mediaType });
      const { pay, settled } = open(server);
      expect((await pay()).data).toMatchObject({ pay: payment });
      expect(server.calls).toHaveLength(7);
      expect(new Set(server.keys()).size).toBe(1);
      expect(settled()).toEqual(['succeeded']);
    });

    test('`Retry-After` in the header is waited for where the body says nothing', async () => {
      const error = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', {} as never);
      const answers = [refuse(error, { 'retry-after': '0' }), paid];
      await using server = await openGraphQLServer({ answers, mediaType });
      const { pay, failures } = open(server);
      await pay();
      expect(failures()).toMatchObject([{ kind: 'idempotency', headers: { retryAfter: '0' } }]);
    });

    test.each([
      ['IDEMPOTENCY_IN_PROGRESS', 409],
      ['IDEMPOTENCY_STORE_UNAVAILABLE', 503],
    ] as const)('%s is known by its name alone', async (code, status) => {
      const answers = [refuseWithCode(code, status), paid];
      await using server = await openGraphQLServer({ answers, mediaType });
      const { pay, failures } = open(server);
      await pay();
      expect(failures()).toMatchObject([
        { kind: 'idempotency', error: { code, retry: 'same-key' } },
      ]);
    });

    test('a store that is down is tried again', async () => {
      const down = new IdempotencyError('IDEMPOTENCY_STORE_UNAVAILABLE', { retryAfterMs: 1 });
      await using server = await openGraphQLServer({ answers: [refuse(down), paid], mediaType });
      expect((await open(server).pay()).data).toMatchObject({ pay: payment });
      expect(new Set(server.keys()).size).toBe(1);
    });

    test.each([
      new IdempotencyError('IDEMPOTENCY_KEY_REUSED', {} as never),
      new IdempotencyError('IDEMPOTENCY_KEY_INVALID', {} as never),
    ])('$code is given back as it came', async (refusal) => {
      await using server = await openGraphQLServer({ answers: [refuse(refusal)], mediaType });
      const { pay, settled } = open(server);
      const { error } = await pay();
      expect(idempotencyErrorOf(error)).toEqual(refusal.toJSON());
      expect(deliveryErrorOf(error)).toBeUndefined();
      expect(settled()).toEqual(['refused']);
      expect(server.calls).toHaveLength(1);
    });

    test('a mutation whose answer is gone has taken effect', async () => {
      const gone = new IdempotencyError('IDEMPOTENCY_RESPONSE_UNAVAILABLE', {} as never);
      await using server = await openGraphQLServer({ answers: [refuse(gone)], mediaType });
      const { error } = await open(server).pay();
      expect(deliveryErrorOf(error)).toMatchObject({ reason: 'executed', execution: 'certain' });
      expect(idempotencyErrorOf(error)?.code).toBe('IDEMPOTENCY_RESPONSE_UNAVAILABLE');
    });

    test('an error of the application is given back, and the mutation not sent again', async () => {
      await using server = await openGraphQLServer({ answers: [fail('no funds')], mediaType });
      const { pay, settled } = open(server);
      expect((await pay()).error).toMatchObject({ message: expect.stringContaining('no funds') });
      expect(settled()).toEqual(['answered']);
      expect(server.calls).toHaveLength(1);
    });

    test('the refusal of a service that the mutation calls is part of its answer', async () => {
      await using server = await openGraphQLServer({ answers: [paidBesideRefusal], mediaType });
      const { pay, settled } = open(server);
      const { error } = await pay();
      expect(settled()).toEqual(['answered']);
      expect(server.calls).toHaveLength(1);
      expect(idempotencyErrorOf(error)).toBeUndefined();
    });

    test('a key that did not arrive is a mistake in the configuration', async () => {
      const missing = new IdempotencyError('IDEMPOTENCY_KEY_MISSING', {} as never);
      await using server = await openGraphQLServer({ answers: [refuse(missing)], mediaType });
      const { error } = await open(server).pay();
      expect(deliveryErrorOf(error)).toMatchObject({ reason: 'configuration', attempts: 1 });
    });
  });

  test('an intent that is given up says how far it came', async () => {
    const down = refuse(new IdempotencyError('IDEMPOTENCY_STORE_UNAVAILABLE', { retryAfterMs: 1 }));
    await using server = await openGraphQLServer({ answers: [down] });
    const { error } = await open(server, { maxAttempts: 2 }).pay();
    expect(deliveryErrorOf(error)).toMatchObject({
      reason: 'attempts',
      attempts: 2,
      execution: 'possible',
    });
    expect(idempotencyErrorOf(error)?.code).toBe('IDEMPOTENCY_STORE_UNAVAILABLE');
  });

  test('a replay is told from a first execution', async () => {
    await using server = await openGraphQLServer({ replayed: [false, true] });
    const { pay } = open(server);
    expect(wasReplayed(await pay())).toBe(false);
    expect(wasReplayed(await pay())).toBe(true);
  });
}
