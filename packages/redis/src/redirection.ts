import type { RedisClient } from './redis-client.ts';
import { withoutArguments } from './redis-store-error.ts';

/** Where a node of a Cluster sends whoever asked it about a slot that it does not have. */
export interface Redirection {
  readonly node: RedisClient;
  /** The slot is on its way there, and only who says `ASKING` is let in already. */
  readonly asking: boolean;
}

/**
 * Reads a redirection, if that is what the error is, and if the client knows the node.
 *
 * ioredis follows redirections of single commands, and of pipelines in which every command was
 * redirected. WAIT never is, so a write with a WAIT behind it has to be led there by us.
 */
export function redirectionOf(error: unknown, client: RedisClient): Redirection | undefined {
  const { code, message } = withoutArguments(error);
  if (code !== 'MOVED' && code !== 'ASK') return undefined;
  const address = message.split(' ').at(-1);
  const node = client
    .nodes?.('all')
    .find(({ options }) => `${options?.host}:${options?.port}` === address);
  if (!node) return undefined;
  // Or every later write would be redirected, too.
  if (code === 'MOVED') client.refreshSlotsCache?.();
  return { node, asking: code === 'ASK' };
}
