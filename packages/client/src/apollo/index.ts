export type { DeliveryError, DeliveryErrorReason, Execution } from '../delivery-error.ts';
export type { DeliveryEvent, DeliveryStep, Settlement } from '../delivery-event.ts';
export { deliveryErrorOf } from '../graphql/delivery-error-of.ts';
export type { KeyCarrier } from '../graphql/graphql-options.ts';
export { wasReplayed } from '../graphql/was-replayed.ts';
export { withIdempotencyKey } from '../graphql/with-idempotency-key.ts';
export { idempotencyErrorOf } from './describe-apollo-failure.ts';
export { IdempotencyLink, type IdempotencyLinkOptions } from './idempotency-link.ts';
