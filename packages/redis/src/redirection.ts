import type { RedisClient } from './redis-client.ts';
import { withoutArguments } from './redis-store-error.ts';

/** Where a node of a Cluster sends whoever asked it about a slot that it does not have. */
export interface Redirection {
  readonly node: RedisClient;
  /** The slot is on its way there, and only who says `ASKING` is let in already. */
  readonly asking: boolean;
}

/**
 * Reads a redirection, if that is what the error is, and if the client can be led there.
 *
 * ioredis follows redirections of single commands, and of pipelines in which every command was
 * redirected. WAIT never is, so a write with a WAIT behind it has to be led there by us.
 */
export async function redirectionOf(
  error: unknown,
  client: RedisClient,
): Promise<Redirection | undefined> {
  const { code, message } = withoutArguments(error);
  if (code !== 'MOVED' && code !== 'ASK') return undefined;
  const address = message.split(' ').at(-1);
  const node = client
    .nodes?.('all')
    .find(({ options }) => `${options?.host}:${options?.port}` === address);
  if (code === 'ASK') return node && { node, asking: true };
  // Or every later write would be redirected, too.
  const learning = learnSlots(client);
  if (node) return { node, asking: false };
  // It came to the Cluster later, or the client knows it by another address.
  return (await learning) ? { node: client, asking: false } : undefined;
}

/** Says whether the client knows anew which node has which slot. */
function learnSlots(client: RedisClient): Promise<boolean> {
  return new Promise((resolve) => {
    if (!client.refreshSlotsCache) return resolve(false);
    client.refreshSlotsCache((error) => resolve(!error));
  });
}
