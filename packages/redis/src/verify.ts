import { masters } from './masters.ts';
import type { RedisClient } from './redis-client.ts';
import { RedisStoreError } from './redis-store-error.ts';
import type { ResolvedRedisStoreOptions } from './redis-store-options.ts';
import { send } from './send.ts';

/** Rejects, naming the setting, when a server would break a promise. Asks every master. */
export async function verify(redis: ResolvedRedisStoreOptions): Promise<void> {
  for (const client of await masters(redis.client)) {
    await verifyVersion(client);
    if (!redis.assumeNoEviction) await verifyNoEviction(client);
    if (redis.durability === 'aof-always') await verifyAofAlways(client);
  }
}

async function verifyVersion(client: RedisClient): Promise<void> {
  // Valkey says here which Redis it is compatible with.
  const info = String(await send(['info', 'server'], client));
  const [, version = 'unknown'] = /^redis_version:(\S+)/m.exec(info) ?? [];
  if (Number.parseInt(version, 10) >= 7) return;
  throw new Error(
    `Redis ${version} is too old: \`SET\` with both NX and GET needs Redis 7.0 or later, or Valkey`,
  );
}

async function verifyNoEviction(client: RedisClient): Promise<void> {
  // Also where `maxmemory` is 0 today: whoever sets a limit later would not think of us.
  const policy = await setting('maxmemory-policy', client);
  if (policy === 'noeviction') return;
  throw new Error(
    `Redis has \`maxmemory-policy ${policy}\`, which throws keys away when memory is full, and ` +
      'a mutation whose key is gone executes again: set it to `noeviction`, or give the store a ' +
      'Redis of its own',
  );
}

async function verifyAofAlways(client: RedisClient): Promise<void> {
  for (const [name, needed] of [
    ['appendonly', 'yes'],
    ['appendfsync', 'always'],
  ] as const) {
    const value = await setting(name, client);
    if (value === needed) continue;
    throw new Error(
      `Redis has \`${name} ${value}\`, so a crash may forget what it acknowledged: set it to ` +
        `\`${needed}\`, or leave out the option \`durability\``,
    );
  }
}

async function setting(name: string, client: RedisClient): Promise<string> {
  const reply = await send(['config', 'get', name], client).catch((error: unknown) => {
    throw forbiddenConfig(name, error);
  });
  // A list of names and values, or with RESP3 perhaps an object.
  const settings = reply as unknown[] | Record<string, unknown>;
  return String(Array.isArray(settings) ? settings[1] : settings[name]);
}

function forbiddenConfig(name: string, error: unknown): unknown {
  if (!(error instanceof RedisStoreError) || !['ERR', 'NOPERM'].includes(error.code)) return error;
  const instead =
    name === 'maxmemory-policy'
      ? 'check that it is `noeviction`, then pass `assumeNoEviction: true`'
      : 'leave out the option `durability`, which cannot be confirmed here';
  return new Error(`Redis does not let us read \`${name}\` with CONFIG GET: ${instead}`);
}
