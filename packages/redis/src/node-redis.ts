import { asBytes, type NodeRedisArguments, type NodeRedisClient } from './node-redis-client.ts';
import type { RedisArgument, RedisClient } from './redis-client.ts';
import { RedisStoreError } from './redis-store-error.ts';
import { sendOnOneConnection } from './send-on-one-connection.ts';

/**
 * Whether it comes from node-redis. Its clusters, pools and sentinels do as well, which
 * {@link fromNodeRedis} refuses by name.
 */
export function isNodeRedis(client: object): client is NodeRedisClient {
  const { sendCommand, multi } = client as Partial<NodeRedisClient>;
  return typeof sendCommand === 'function' && typeof multi === 'function';
}

/** What the store does with a client. */
interface NodeRedisNeeds {
  /** Whether every write is followed by a WAIT. */
  readonly waits: boolean;
}

/** Gives a client of node-redis the shape that the store speaks to. */
export function fromNodeRedis(client: NodeRedisClient, { waits }: NodeRedisNeeds): RedisClient {
  checkKind(client);
  if (waits) checkHandoffs(client);
  return {
    callBuffer: (command, ...args) =>
      offline(client) ?? client.sendCommand(sendable(command, args), asBytes),
    pipeline() {
      const commands: NodeRedisArguments[] = [];
      return {
        callBuffer: (command, ...args) => commands.push(sendable(command, args)),
        async exec() {
          await offline(client);
          const replies = await sendOnOneConnection(commands, client);
          return replies.map((reply) => [null, reply]);
        },
      };
    },
  };
}

function checkKind(client: NodeRedisClient): void {
  if (typeof client.select !== 'function') {
    throw new TypeError(
      'Expected `client` to be made by `createClient()` of node-redis, whose clusters, pools and ' +
        'sentinels are not supported: for a Redis Cluster use `Cluster` of ioredis, and for ' +
        'sentinels its `Redis`',
    );
  }
  if (typeof client.isReady !== 'boolean') {
    throw new TypeError('Expected `client` to be of node-redis 4.2 or later');
  }
  if (client.options?.legacyMode) {
    throw new TypeError(
      'Expected `client` to be made without `legacyMode`, in which nothing returns a promise',
    );
  }
}

/**
 * A server of Redis Enterprise may ask a client to move to another one. node-redis then waits for
 * the replies to what it has sent, and sends the rest on a new connection: perhaps a WAIT, which
 * would count replicas for a write that it knows nothing of.
 */
function checkHandoffs({ options }: NodeRedisClient): void {
  if ([undefined, 'disabled'].includes(options?.maintNotifications)) return;
  throw new TypeError(
    "Expected `client` to be made with `maintNotifications: 'disabled'`, because " +
      '`waitForReplicas` needs a write and its WAIT to stay on one connection',
  );
}

/** Why nothing can be sent now, if that is so. node-redis says less, and not always. */
function offline({ isOpen, isReady, options }: NodeRedisClient): Promise<never> | undefined {
  if (!isOpen) {
    const message = 'The client is not connected: await its `connect()` before you use the store';
    return Promise.reject(new RedisStoreError('NOTCONNECTED', message));
  }
  if (isReady || !options?.disableOfflineQueue) return undefined;
  const message = 'The client has no connection, and must not wait for one (disableOfflineQueue)';
  return Promise.reject(new RedisStoreError('OFFLINE', message));
}

function sendable(command: string, args: readonly RedisArgument[]): NodeRedisArguments {
  const all: NodeRedisArguments = [command];
  for (const arg of args) all.push(typeof arg === 'number' ? String(arg) : arg);
  return all;
}
