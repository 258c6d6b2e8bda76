export type { DeliveryError, DeliveryErrorReason, Execution } from '../delivery-error.ts';
export type { DeliveryEvent, DeliveryStep, Settlement } from '../delivery-event.ts';
export { deliveryErrorOf } from './client-error.ts';
export { type HeadersRequest, idempotencyHeaders, type OwnHeaders } from './idempotency-headers.ts';
export { idempotencyLink } from './idempotency-link.ts';
export type { IdempotencyLinkOptions } from './link-options.ts';
export { idempotencyKey } from './operation-key.ts';
export { statusAwareFetch, type TrpcFetch } from './status-aware-fetch.ts';
