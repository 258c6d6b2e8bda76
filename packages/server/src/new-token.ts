import { randomFillSync } from 'node:crypto';
import type { FencingToken } from '@onceward/core/store';

/** Makes the token of an attempt: 128 random bits. */
export function newToken(): FencingToken {
  if (used === unused.length) {
    unused = randomFillSync(bytes).toString('hex');
    used = 0;
  }
  return unused.slice(used, (used += tokenLength));
}

const tokenLength = 32;
/** The system takes about as long for one as for many. */
const tokensAtOnce = 256;
const bytes = Buffer.alloc((tokenLength / 2) * tokensAtOnce);
let unused = '';
let used = 0;
