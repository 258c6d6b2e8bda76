import { following } from '@onceward/core';

/**
 * Counts an intent that nobody follows, until the returned function is called: should somebody ask
 * for the current intent meanwhile, this one would be taken for none.
 */
export function missIntent(): () => void {
  const missing = following();
  if (missing.asked) return nothing;
  missing.missed += 1;
  return isOver;
}

function isOver(): void {
  following().missed -= 1;
}

function nothing(): void {}
