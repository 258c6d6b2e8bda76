export type { AuditedMutation, AuditOptions, RouterAudit } from './audit.ts';
export type { AuditedRouter } from './procedures-of.ts';
export {
  createIdempotency,
  type Idempotency,
  type IdempotencyOptions,
  type ScopeCall,
} from './create-idempotency.ts';
export { idempotencyErrorFormatter, type IdempotencyErrorShape } from './error-formatter.ts';
export type { Guard, GuardOptions } from './guard.ts';
export { callerKey, incomingKeys, type IncomingKeys, type KeySource } from './incoming-keys.ts';
export { idempotencyResponseMeta, type ResponseFacts } from './response-meta.ts';
export type { Unwrap } from './unwrap.ts';
