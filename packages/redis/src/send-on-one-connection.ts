import { asBytes, type NodeRedisArguments, type NodeRedisClient } from './node-redis-client.ts';
import { RedisStoreError } from './redis-store-error.ts';

/**
 * Sends commands in order on one connection of node-redis, or rejects.
 *
 * A client that loses its connection sends on the next one whatever it has not written yet. Were
 * that a WAIT, it would wait for nothing and count every replica.
 *
 * The first error stands for all: a write that failed has nothing to wait for.
 */
export function sendOnOneConnection(
  commands: readonly NodeRedisArguments[],
  client: NodeRedisClient,
): Promise<readonly unknown[]> {
  return client.withTypeMapping
    ? sendAsChain(commands, client.withTypeMapping(asBytes.typeMapping).multi())
    : sendInOneTurn(commands, client);
}

/** Since version 5 the rest of a pipeline goes down with the connection that had its beginning. */
async function sendAsChain(
  commands: readonly NodeRedisArguments[],
  pipeline: ReturnType<NodeRedisClient['multi']>,
): Promise<readonly unknown[]> {
  for (const command of commands) pipeline.addCommand(command);
  return (await pipeline.execAsPipeline()) as unknown[];
}

/** A pipeline of version 4 is none: it has no bytes, and its rest is sent on the next connection. */
async function sendInOneTurn(
  commands: readonly NodeRedisArguments[],
  client: NodeRedisClient,
): Promise<readonly unknown[]> {
  const connections = connectionsOf(client);
  const replies = await Promise.all(
    commands.map(async (command) => {
      const reply = await client.sendCommand(command, asBytes);
      return { reply, connection: connections.count };
    }),
  );
  if (new Set(replies.map(({ connection }) => connection)).size > 1) {
    throw new RedisStoreError('CONNECTIONLOST', 'The connection was lost after a write');
  }
  return replies.map(({ reply }) => reply);
}

/** How often a client has connected since it was first asked about. */
interface Connections {
  count: number;
}

const known = new WeakMap<NodeRedisClient, Connections>();

function connectionsOf(client: NodeRedisClient): Connections {
  const before = known.get(client);
  if (before) return before;
  const connections = { count: 0 };
  known.set(client, connections);
  // Not `ready`: by then, what was left over has been sent, and perhaps answered.
  client.on('connect', () => connections.count++);
  return connections;
}
