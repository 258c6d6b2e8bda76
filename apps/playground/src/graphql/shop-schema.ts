import type { Effect } from '@onceward/server';
import { type IdempotencyContext, idempotentTypeDefs } from '@onceward/server/graphql';
import { GraphQLScalarType } from 'graphql';
import { createSchema } from 'graphql-yoga';
import type pg from 'pg';
import type { RequestFaults } from '../faults/request-faults.ts';
import { book, Trip } from '../shop/book.ts';
import { effects } from '../shop/effects.ts';
import { intentOf } from '../shop/intent.ts';
import { Message, notify } from '../shop/notify.ts';
import { pay, Payment } from '../shop/pay.ts';
import { payments } from '../shop/payments.ts';
import { Name, rename } from '../shop/rename.ts';
import type { ShopTools } from '../shop/shop-tools.ts';
import { checkedInput } from './checked-input.ts';
import { typeDefs } from './type-defs.ts';

/** What every resolver knows about its request. */
export interface Context {
  readonly user: string;
  readonly faults: Pick<RequestFaults, 'midway'>;
}

export function createShopSchema({ outside }: Pick<ShopTools, 'outside'>) {
  return createSchema<MutationContext<'atomic'> & MutationContext<'steps'>>({
    typeDefs: [idempotentTypeDefs, typeDefs],
    resolvers: {
      Mutation: {
        async pay(_, { input }: Sent, context: MutationContext<'atomic'>) {
          const payment = checkedInput(Payment, input);
          const receipt = await pay(context.idempotency.tx, intentOf(context), payment);
          return { ...payment, ...receipt };
        },
        book(_, { input }: Sent, context: MutationContext<'steps'>) {
          const { step } = context.idempotency;
          return book({ outside, step }, intentOf(context), checkedInput(Trip, input));
        },
        notify: (_, { input }: Sent, context: MutationContext<'external'>) =>
          notify(outside, intentOf(context), checkedInput(Message, input)),
        rename: (_, { input }: Sent, context: MutationContext<'natural'>) =>
          rename(outside, intentOf(context), checkedInput(Name, input)),
      },
      Query: {
        effects: (_, _sent, { user }: Context) => effects(outside, user),
        payments: (_, _sent, { user }: Context) => payments(outside, user),
      },
      DateTime: new GraphQLScalarType({
        name: 'DateTime',
        serialize: (instant) => (instant as Date).toISOString(),
      }),
    },
  });
}

/** What the resolver of a mutation knows, which depends on the effect that is declared for it. */
type MutationContext<Declared extends Effect> = Context &
  IdempotencyContext<Declared, pg.PoolClient>;

interface Sent {
  readonly input: unknown;
}
