import type { RedisArgument, RedisClient } from './redis-client.ts';
import { redirectionOf } from './redirection.ts';
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
 * node. One pipeline is what keeps both together, wherever it has to be led.
 */
export async function sendReplicated(
  command: RedisCommand,
  client: RedisClient,
  { count, timeoutMs }: ReplicaDemand,
): Promise<unknown> {
  const wait = ['wait', count, timeoutMs] as const;
  let [written, waited] = await sendTogether([command, wait], client);
  for (let led = 0; led < maxRedirections && written?.error; led++) {
    const redirection = await redirectionOf(written.error, client);
    if (!redirection) break;
    const { node, asking } = redirection;
    const commands = asking ? [['asking'] as const, command, wait] : [command, wait];
    [written, waited] = (await sendTogether(commands, node)).slice(-2);
  }
  for (const { error } of [written, waited].filter((reply) => reply !== undefined)) {
    if (error) throw withoutArguments(error);
  }
  const confirmations = Number(waited?.reply);
  if (confirmations >= count) return written?.reply;
  throw new RedisStoreError(
    notReplicated,
    `${confirmations} of ${count} replicas confirmed a write within ${timeoutMs} ms`,
  );
}

/** A slot may move on while we follow it, but not for ever. */
const maxRedirections = 4;

/** The code of the error that says: written, but too few replicas have it. */
export const notReplicated = 'NOTREPLICATED';

interface Replied {
  readonly error: Error | null;
  readonly reply: unknown;
}

async function sendTogether(
  commands: readonly RedisCommand[],
  client: RedisClient,
): Promise<Replied[]> {
  const pipeline = client.pipeline();
  for (const command of commands) pipeline.callBuffer(...command);
  const results = await pipeline.exec().catch((error: unknown) => {
    throw withoutArguments(error);
  });
  return (results ?? []).map(([error, reply]) => ({ error, reply }));
}
