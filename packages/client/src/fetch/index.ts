export type { DeliveryError, DeliveryErrorReason, Execution } from '../delivery-error.ts';
export type { DeliveryEvent, DeliveryStep, Settlement } from '../delivery-event.ts';
export { deliveryErrorOf } from '../graphql/delivery-error-of.ts';
export { idempotentFetch, type IdempotentFetchOptions } from './idempotent-fetch.ts';
export { isMutation } from './is-mutation.ts';
export type { OutgoingRequest } from './outgoing-request.ts';
export { wasReplayed } from './was-replayed.ts';
