// What an application imports.
export {
  idempotencyHeaders,
  idempotencyKey,
  idempotencyLink,
  statusAwareFetch,
} from '@onceward/client/trpc';
