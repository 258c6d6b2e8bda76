import { randomFillSync } from 'node:crypto';
import type { FencingToken } from '@onceward/core/store';

/** Makes the token of an attempt: 128 random bits. */
export function newToken(): FencingToken {
  if (unused.length === 0) unused = randomFillSync(Buffer.alloc(tokenBytes * tokensAtOnce));
  const token = unused.toString('hex', 0, tokenBytes);
  unused = unused.subarray(tokenBytes);
  return token;
}

const tokenBytes = 16;
/** The system takes about as long for one as for many. */
const tokensAtOnce = 256;
let unused = Buffer.alloc(0);
