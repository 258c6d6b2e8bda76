// What an application imports.
export {
  deliveryErrorOf,
  idempotencyErrorOf,
  idempotencyExchange,
  wasReplayed,
  withIdempotencyKey,
} from '@onceward/client/urql';
