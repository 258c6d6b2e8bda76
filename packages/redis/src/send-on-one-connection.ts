import {
  asBytes,
  type NodeRedisArguments,
  type NodeRedisClient,
  type NodeRedisReplies,
} from './node-redis-client.ts';
import { RedisStoreError } from './redis-store-error.ts';

/**
 * Sends commands in order on one connection of node-redis, or rejects.
 *
 * A client that loses its connection sends on the next one whatever it has not written yet. Were
 * that a WAIT, it would wait for nothing and count every replica. A pipeline of node-redis does not
 * prevent that: in version 4 it never did, and later its rest is kept when something urgent
 * (`asap`) waits before it.
 *
 * The first error stands for all: a write that failed has nothing to wait for.
 */
export async function sendOnOneConnection(
  commands: readonly NodeRedisArguments[],
  client: NodeRedisClient,
): Promise<readonly unknown[]> {
  const connections = connectionsOf(client);
  const replies = await Promise.all(
    commands.map(async (command) => {
      const reply = await client.sendCommand(command, inOrder);
      return { reply, connection: connections.count };
    }),
  );
  if (new Set(replies.map(({ connection }) => connection)).size > 1) {
    throw new RedisStoreError('CONNECTIONLOST', 'The connection was lost after a write');
  }
  return replies.map(({ reply }) => reply);
}

/** Where everything is urgent, the last would be the first. */
const inOrder = { ...asBytes, asap: false } satisfies NodeRedisReplies;

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
