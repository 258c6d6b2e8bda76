import { printable } from '@onceward/core';

/**
 * A text from elsewhere, as it is: what cannot be seen is shown by its number, and none of it turns
 * the direction of what stands beside it.
 */
export function Text({ children }: { children: string }) {
  return <bdi>{printable(children)}</bdi>;
}
