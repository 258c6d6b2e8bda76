import type { ApolloLink, DefaultContext } from '@apollo/client';
import type { WireError } from '@onceward/core';
import { expectTypeOf, test } from 'vitest';
import type { DeliveryError } from '../delivery-error.ts';
import {
  deliveryErrorOf,
  idempotencyErrorOf,
  type IdempotencyLink,
  type IdempotencyLinkOptions,
} from './index.ts';

test('the context of a call takes a key, or null for none', () => {
  expectTypeOf<DefaultContext['idempotencyKey']>().toEqualTypeOf<string | null | undefined>();
  // @ts-expect-error a number is no key
  const context: DefaultContext = { idempotencyKey: 5 };
  void context;
});

test('an operation is what Apollo hands to its links', () => {
  type Key = NonNullable<IdempotencyLinkOptions['key']>;
  expectTypeOf<Key>().parameters.toEqualTypeOf<[ApolloLink.Operation]>();
  expectTypeOf<Key>().returns.toEqualTypeOf<string | null | undefined>();
  expectTypeOf<IdempotencyLink>().toExtend<ApolloLink>();
});

test('how errors of Apollo are put into words is not up to the user', () => {
  expectTypeOf<IdempotencyLinkOptions>().not.toHaveProperty('describeFailure');
});

test('errors are typed', () => {
  expectTypeOf(deliveryErrorOf).returns.toEqualTypeOf<DeliveryError | undefined>();
  expectTypeOf(idempotencyErrorOf).returns.toEqualTypeOf<WireError | undefined>();
});
