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
export { type ApolloJournal, createJournal, withApollo } from './create-journal.ts';
export { idempotencyErrorOf } from './describe-apollo-failure.ts';
export { IdempotencyLink, type IdempotencyLinkOptions } from './idempotency-link.ts';
export type { JournaledLink, LinkJournal } from './journaled-link.ts';
export { resumeDelivery } from './resume-delivery.ts';
