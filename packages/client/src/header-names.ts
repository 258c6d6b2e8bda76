import type { headerNames } from '@onceward/core';

// Of core's table only what a client needs: an object comes into a bundle as a whole. The types
// keep the names equal.
export const keyHeader: (typeof headerNames)['key'] = 'Idempotency-Key';
export const trpcKeysHeader: (typeof headerNames)['trpcKeys'] = 'trpc-idempotency-keys';
export const retryAfterHeader: (typeof headerNames)['retryAfter'] = 'Retry-After';
