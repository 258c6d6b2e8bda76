import type { IdempotencyKey, WireError } from '@onceward/core';
import type { Exchange, Operation, OperationContext } from '@urql/core';
import { expectTypeOf, test } from 'vitest';
import {
  idempotencyErrorOf,
  idempotencyExchange,
  type IdempotencyExchangeOptions,
  withIdempotencyKey,
} from './index.ts';

test('the context of a call takes a key, or null for none', () => {
  expectTypeOf<OperationContext['idempotencyKey']>().toEqualTypeOf<string | null | undefined>();
  // @ts-expect-error a number is no key
  const context: Partial<OperationContext> = { idempotencyKey: 5 };
  void context;
});

test('the exchange is one of urql, and its key option sees the operation', () => {
  expectTypeOf(idempotencyExchange).returns.toEqualTypeOf<Exchange>();
  type Key = NonNullable<IdempotencyExchangeOptions['key']>;
  expectTypeOf<Key>().parameters.toEqualTypeOf<[Operation]>();
});

test('variables keep their types beside the key', () => {
  const variables = withIdempotencyKey({ cents: 12 });
  expectTypeOf(variables).toEqualTypeOf<{ cents: number } & { idempotencyKey: IdempotencyKey }>();
  expectTypeOf(variables).toExtend<{ cents: number; idempotencyKey: string }>();
});

test('errors are typed', () => {
  expectTypeOf(idempotencyErrorOf).returns.toEqualTypeOf<WireError | undefined>();
});
