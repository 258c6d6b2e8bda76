// What an application imports.
export {
  deliveryErrorOf,
  idempotencyErrorOf,
  IdempotencyLink,
  wasReplayed,
  withIdempotencyKey,
} from '@onceward/client/apollo';
