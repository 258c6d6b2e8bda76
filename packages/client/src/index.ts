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
export type { Channel } from './journal/channel.ts';
export { createJournal, type Journal, type Resolution } from './journal/journal.ts';
export { JournalError, type JournalErrorReason } from './journal/journal-error.ts';
export type { JournalEvent } from './journal/journal-event.ts';
export { type JournalOptions, keysFrom } from './journal/journal-options.ts';
export type { JournalRecord, RecordReason, RecordState } from './journal/journal-record.ts';
export { memoryJournal } from './journal/memory-journal.ts';
export type { Network } from './journal/network.ts';
export type { BodyCodec, QuarantineProblem } from './journal/record-body.ts';
export type { QuarantinedRow } from './journal/records.ts';
export type { SettledHandler, SettledIntent } from './journal/settled-intent.ts';
export type { Cancellation, Submission, Submitted } from './journal/submission.ts';
export type { Transformer } from './journal/wire-text.ts';
