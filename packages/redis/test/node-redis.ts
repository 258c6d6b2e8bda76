import { createClient as createClient4 } from 'node-redis-4';
import { createClient as createClient5 } from 'node-redis-5';
import { createClient as createClient6 } from 'redis';
import type { NodeRedisClient } from '../src/index.ts';

/** The versions of node-redis that are supported. */
export const versions = [4, 5, 6] as const;

export type Version = (typeof versions)[number];

/** What all of them take. */
export interface ClientOptions {
  readonly url: string;
  readonly disableOfflineQueue?: boolean;
}

/** A client that is connected, until it is disposed of. */
export async function connect(
  version: Version,
  options: ClientOptions,
): Promise<{ client: NodeRedisClient } & AsyncDisposable> {
  const client = create(version, options);
  client.on('error', () => undefined);
  await client.connect();
  return {
    client,
    async [Symbol.asyncDispose]() {
      if (client.isOpen) await client.disconnect();
    },
  };
}

/** A client that is not connected yet. */
export function create(version: Version, options: ClientOptions) {
  switch (version) {
    case 4:
      return createClient4(options);
    case 5:
      return createClient5(options);
    case 6:
      // Of 6 because it speaks RESP3 unless told otherwise, and servers may then move clients.
      return createClient6({ ...options, maintNotifications: 'disabled' });
  }
}
