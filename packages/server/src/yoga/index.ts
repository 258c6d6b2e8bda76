export { useIdempotency, type UseIdempotencyOptions } from './use-idempotency.ts';
