export {
  type CurrentIntent,
  currentIntent,
  provideCurrentIntent,
} from './ambient/current-intent.ts';
export { ExecutingIntent, type Execution } from './ambient/executing-intent.ts';
export { followIntents } from './ambient/follow-intents.ts';
export { following, type Following } from './ambient/following.ts';
export {
  type ExecutedIntent,
  type IntentStorage,
  sharedIntents,
} from './ambient/intent-storage.ts';
export { type Clock, systemClock, type TimerOptions } from './clock.ts';
export { type ErrorCode, errorCodes, isErrorCode, type RetryAdvice } from './errors/codes.ts';
export type { ErrorDetails, InputProblem, KeyConflict, RetryAfter } from './errors/details.ts';
export {
  type AnyIdempotencyError,
  IdempotencyError,
  type IdempotencyErrorOptions,
  type WireError,
} from './errors/idempotency-error.ts';
export {
  formatKeyHeader,
  type KeyHeaderProblem,
  type KeyHeaderSyntax,
  parseKeyHeader,
  type ParsedKeyHeader,
} from './header/key-header.ts';
export { corsHeaders, headerNames } from './header/names.ts';
export {
  type IdempotencyKey,
  type KeyFormat,
  type KeyProblem,
  keyTimestamp,
  parseKey,
  type ParsedKey,
  uuidV7Time,
} from './keys/idempotency-key.ts';
export { deriveKey, type Sha256 } from './keys/derive-key.ts';
export { keysFromText } from './keys/keys-from-text.ts';
export { createKeyMinter, type KeyMinterOptions, mintKey } from './keys/mint-key.ts';
export { printable } from './printable.ts';
