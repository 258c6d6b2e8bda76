export {
  type IdempotencyPlugin,
  useIdempotency,
  type UseIdempotencyOptions,
} from './use-idempotency.ts';
