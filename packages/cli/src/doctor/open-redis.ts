import { CliFailure } from '../cli-failure.ts';
import { describeUrl, withoutPassword } from '../connection/describe-url.ts';
import { reasonOf } from '../reason-of.ts';
import { exitCode } from '../exit-code.ts';
import type { RedisSubject } from './redis-check.ts';

/** Connects to a Redis with ioredis, which is installed only where somebody needs it. */
export async function withOpenRedis<Value>(
  url: string,
  use: (redis: RedisSubject) => Promise<Value>,
): Promise<Value> {
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CliFailure(exitCode.usage, '--redis-url is not the URL of a Redis.', {
      advice: 'Expected redis://user:password@host:6379',
    });
  }
  const { Redis } = await loadClient();
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 10_000,
    commandTimeout: 10_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Without a listener it is printed; whoever waits for the connection hears of it anyway.
  let reason: unknown;
  client.on('error', (error: unknown) => void (reason = error));
  try {
    await client.connect().catch((error: unknown) => {
      const message = withoutPassword(reasonOf(reason ?? error), url);
      throw new CliFailure(
        exitCode.unreachable,
        `Cannot connect to ${describeUrl(url)}: ${message}.`,
        {
          advice: 'Check the host, the port, the user and the password of --redis-url.',
          cause: error,
        },
      );
    });
    return await use(subjectOn(client));
  } finally {
    client.disconnect();
  }
}

function subjectOn(client: RedisConnection): RedisSubject {
  return {
    async setting(name) {
      try {
        const reply = await client.call('config', 'get', name);
        return Array.isArray(reply) ? String(reply[1]) : undefined;
      } catch {
        // A managed service, or an ACL, forbids it.
        return undefined;
      }
    },
    async info(section, name) {
      const lines = String(await client.call('info', section)).split(/\r?\n/);
      return lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
    },
  };
}

interface RedisConnection {
  connect(): Promise<unknown>;
  call(command: string, ...args: string[]): Promise<unknown>;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  disconnect(): void;
}

interface RedisModule {
  readonly Redis: new (url: string, options: object) => RedisConnection;
}

async function loadClient(): Promise<RedisModule> {
  try {
    return await import('ioredis');
  } catch (cause) {
    throw new CliFailure(exitCode.usage, '--redis-url needs the package ioredis.', {
      advice: 'Install it beside this one: npm install ioredis',
      cause,
    });
  }
}
