import { randomFillSync } from 'node:crypto';
import type { FencingToken } from '@onceward/core/store';

/** Makes the token of an attempt: 128 random bits. */
export function newToken(): FencingToken {
  if (used === unused.length) {
    randomFillSync(unused);
    used = 0;
  }
  return unused.toString('hex', used, (used += tokenBytes));
}

const tokenBytes = 16;
/** The system takes about as long for one as for many. */
const tokensAtOnce = 256;
const unused = Buffer.alloc(tokenBytes * tokensAtOnce);
let used = unused.length;
