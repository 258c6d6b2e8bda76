export type { DeliveryError, DeliveryErrorReason, Execution } from '../delivery-error.ts';
export type { DeliveryEvent, DeliveryStep, Settlement } from '../delivery-event.ts';
export { deliveryErrorOf } from '../graphql/delivery-error-of.ts';
export type { KeyCarrier } from '../graphql/graphql-options.ts';
export type { JournalContext } from '../graphql/kept-mutation.ts';
export type {
  MutationJournal,
  MutationLike,
  MutationResult,
  TypedMutation,
} from '../graphql/mutation-journal.ts';
export { wasReplayed } from '../graphql/was-replayed.ts';
export { withIdempotencyKey } from '../graphql/with-idempotency-key.ts';
export type { JournalOptions } from '../journal/journal-options.ts';
export { idempotencyErrorOf } from './answer.ts';
export { createJournal, type UrqlJournal, withUrql } from './create-journal.ts';
export { idempotencyExchange, type IdempotencyExchangeOptions } from './idempotency-exchange.ts';
export type { ExchangeJournal, JournaledExchange } from './journaled-exchange.ts';
