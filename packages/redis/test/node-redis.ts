import { createClient as createClient4 } from 'node-redis-4';
import { createClient as createClient5 } from 'node-redis-5';
import { createClient as createClient6 } from 'redis';
import type { NodeRedisClient } from '../src/index.ts';

/** The versions of node-redis that the store supports. */
export const versions = [4, 5, 6] as const;

export type Version = (typeof versions)[number];

export interface ClientOptions {
  readonly url: string;
  readonly disableOfflineQueue?: boolean;
}

/** What tests do with a client beside what the store does. */
export interface TestClient extends NodeRedisClient {
  connect(): Promise<unknown>;
  disconnect(): Promise<unknown>;
}

/** A client that is connected until it is disposed of. */
export async function connected(
  version: Version,
  options: ClientOptions,
): Promise<AsyncDisposable & { readonly client: TestClient }> {
  const client = create(version, options);
  await client.connect();
  return {
    client,
    async [Symbol.asyncDispose]() {
      if (client.isOpen) await client.disconnect();
    },
  };
}

/** A client that is not connected yet. */
export function create(version: Version, options: ClientOptions): TestClient {
  const client = createWith[version](options);
  // Or a connection that is lost would end the process.
  client.on('error', () => undefined);
  return client;
}

const createWith = {
  4: (options: ClientOptions) => createClient4(options),
  5: (options: ClientOptions) => createClient5(options),
  6: (options: ClientOptions) => createClient6({ ...options, maintNotifications: 'disabled' }),
};
