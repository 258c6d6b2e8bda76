import { Redis } from 'ioredis';
import { startNativeRedis } from './native-redis.ts';

/** A server, and a replica that follows it. */
export interface Pair extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** A connection to the replica. */
  readonly replica: Redis;
}

export async function startPair(): Promise<Pair> {
  const primary = await startNativeRedis([]);
  const { hostname, port } = new URL(primary.url);
  try {
    const secondary = await startNativeRedis(['--replicaof', hostname, port]);
    const replica = new Redis(secondary.url);
    await isLinked(replica);
    return {
      ...{ url: primary.url, port: Number(port), replica },
      async [Symbol.asyncDispose]() {
        replica.disconnect();
        await secondary.stop();
        await primary.stop();
      },
    };
  } catch (error) {
    await primary.stop();
    throw error;
  }
}

async function isLinked(replica: Redis): Promise<void> {
  while (!(await replica.info('replication')).includes('master_link_status:up')) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
