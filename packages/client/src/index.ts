export type { Attempt, Send } from './attempt.ts';
export { createDelivery } from './create-delivery.ts';
export type { Delivery } from './delivery.ts';
export {
  DeliveryError,
  type DeliveryErrorOptions,
  type DeliveryErrorReason,
  type Execution,
} from './delivery-error.ts';
export type { DeliveryEvent, DeliveryStep, Settlement } from './delivery-event.ts';
export type { DeliveryOptions } from './delivery-options.ts';
export { type AnswerHeaders, describeFailure, type Failure } from './failure.ts';
export { HttpStatusError, type ResponseHead } from './http-status-error.ts';
export type { Intent } from './intent.ts';
export type { GiveUpReason, KeyDelivery, Pace, RetryReason, Verdict } from './retry/verdict.ts';
