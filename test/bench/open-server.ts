import { Redis } from 'ioredis';
import pg from 'pg';
import { nativeRedis, startNativeRedis } from '../../packages/redis/test/native-redis.ts';
import { startPostgres } from '../services/postgres.ts';
import { startRedis } from '../services/redis.ts';
import type { Service } from '../services/service-process.ts';

/** A server of its own for what is measured, as users have it. */
export interface OpenServer extends AsyncDisposable {
  readonly url: string;
  /** For the caption of a table: `Redis 7.0.15`. */
  readonly version: string;
}

/** Durable as most run them: every commit, or every second, is written to disk. */
export async function openServer(
  kind: 'redis' | 'postgres',
  settings: readonly string[] = [],
): Promise<OpenServer> {
  const service = await (kind === 'redis' ? startAnyRedis() : startDurablePostgres(settings));
  return {
    url: service.url,
    version: await (kind === 'redis' ? redisVersion(service.url) : postgresVersion(service.url)),
    [Symbol.asyncDispose]: () => service.stop(),
  };
}

function startAnyRedis(): Promise<Service> {
  // Never rewritten, for that takes a core.
  const settings = ['--appendonly', 'yes', '--auto-aof-rewrite-percentage', '0'];
  return nativeRedis ? startNativeRedis(settings) : startRedis();
}

function startDurablePostgres(settings: readonly string[]): Promise<Service> {
  return startPostgres(undefined, { settings: ['fsync=on', 'full_page_writes=on', ...settings] });
}

async function redisVersion(url: string): Promise<string> {
  const redis = new Redis(url);
  const info = await redis.info('server');
  redis.disconnect();
  const valkey = /^valkey_version:(\S+)/m.exec(info)?.[1];
  return valkey ? `Valkey ${valkey}` : `Redis ${/^redis_version:(\S+)/m.exec(info)?.[1]}`;
}

export async function postgresVersion(url: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return `PostgreSQL ${rows[0]?.server_version.split(' ')[0]}`;
}
