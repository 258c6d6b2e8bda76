import type { RedisArgument, RedisClient } from './redis-client.ts';
import { RedisStoreError, withoutArguments } from './redis-store-error.ts';

export type RedisCommand = readonly [name: string, ...args: RedisArgument[]];

export interface ReplicaDemand {
  readonly count: number;
  readonly timeoutMs: number;
}

/** Sends one command. */
export async function send(command: RedisCommand, client: RedisClient): Promise<unknown> {
  try {
    return await client.callBuffer(...command);
  } catch (error) {
    throw withoutArguments(error);
  }
}

/**
 * Sends one command whose effect must survive a fail-over.
 *
 * WAIT speaks about the writes of its own connection, and in a Cluster about those of its own
 * node. One pipeline is what keeps both together.
 */
export async function sendReplicated(
  command: RedisCommand,
  client: RedisClient,
  { count, timeoutMs }: ReplicaDemand,
): Promise<unknown> {
  const pipeline = client.pipeline();
  pipeline.callBuffer(...command);
  pipeline.callBuffer('wait', count, timeoutMs);
  const [reply, confirmations] = await repliesOf(pipeline.exec());
  if (Number(confirmations) >= count) return reply;
  throw new RedisStoreError(
    notReplicated,
    `${Number(confirmations)} of ${count} replicas confirmed a write within ${timeoutMs} ms`,
  );
}

/** The code of the error that says: written, but too few replicas have it. */
export const notReplicated = 'NOTREPLICATED';

async function repliesOf(
  executing: Promise<[error: Error | null, reply: unknown][] | null>,
): Promise<unknown[]> {
  const results = await executing.catch((error: unknown) => {
    throw withoutArguments(error);
  });
  return (results ?? []).map(([error, reply]) => {
    if (error) throw withoutArguments(error);
    return reply;
  });
}
