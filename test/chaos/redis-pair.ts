import { setTimeout as passes } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createNativeRedis, type NativeRedis } from '../../packages/redis/test/native-redis.ts';
import type { Service } from '../services/service-process.ts';
import { openTcpLine, type TcpLine } from '../support/tcp-line.ts';

/** A Redis with one replica, whose roles change. Every write is on disk before it is answered. */
export interface RedisPair extends AsyncDisposable {
  /** From servers to whoever is primary. */
  readonly line: TcpLine;
  /** Kills the primary and starts it again, on what is on its disk. */
  restart(): Promise<void>;
  /**
   * Kills the primary and promotes the replica, which may have heard nothing for a moment. The old
   * primary comes back as a replica.
   */
  failOver(deafMs: number): Promise<void>;
  /** Resolves when the replica follows. */
  followed(): Promise<void>;
}

const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--repl-timeout', '5'];

export async function startRedisPair(): Promise<RedisPair> {
  let primary = await startMember();
  let replica = await startMember();
  const line = await openTcpLine(() => primary.server.port);
  // What the primary tells its replica goes over a line of its own.
  const feed = await openTcpLine(() => primary.server.port);
  const follow = (member: Member) => member.admin.replicaof('127.0.0.1', feed.port);
  await follow(replica);
  const followed = async () => {
    for (;;) {
      const info = await replica.admin.info('replication').catch(() => '');
      if (info.includes('master_link_status:up')) return;
      await passes(20);
    }
  };
  await followed();
  return {
    line,
    followed,
    async restart() {
      await primary.service.end('SIGKILL');
      primary.service = await primary.server.start();
      line.cut();
    },
    async failOver(deafMs) {
      // A replica that does not follow would lose what was confirmed: nobody promotes it.
      await followed();
      feed.freeze();
      await passes(deafMs);
      await primary.service.end('SIGKILL');
      feed.cut();
      await replica.admin.replicaof('NO', 'ONE');
      [primary, replica] = [replica, primary];
      line.cut();
      replica.service = await replica.server.start();
      await follow(replica);
    },
    async [Symbol.asyncDispose]() {
      for (const member of [primary, replica]) {
        member.admin.disconnect();
        await member.service.stop();
      }
      await line[Symbol.asyncDispose]();
      await feed[Symbol.asyncDispose]();
    },
  };
}

interface Member {
  readonly server: NativeRedis;
  readonly admin: Redis;
  service: Service;
}

async function startMember(): Promise<Member> {
  const server = await createNativeRedis(settings);
  const service = await server.start();
  const admin = new Redis(server.port, '127.0.0.1', { retryStrategy: () => 20 });
  admin.on('error', () => undefined);
  return { server, service, admin };
}
