import { once } from 'node:events';
import { connect } from 'node:net';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import type { Service } from './service-process.ts';

export interface Services extends AsyncDisposable {
  readonly postgresUrl: string;
  readonly redisUrl: string;
  /** What the tests run against, for people. */
  readonly names: readonly string[];
  stop(): Promise<void>;
}

/** Starts the servers the tests need, except those that `DATABASE_URL` or `REDIS_URL` name. */
export async function startServices(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Services> {
  const started: Service[] = [];
  const names: string[] = [];
  const stop = async () => {
    await Promise.all(started.map((service) => service.stop()));
  };
  const use = async (variable: string, start: () => Promise<Service>): Promise<string> => {
    const given = environment[variable];
    if (given) {
      await assertAnswers(variable, given);
      names.push(variable);
      return given;
    }
    const service = await start();
    started.push(service);
    names.push(service.name);
    return service.url;
  };

  try {
    const postgresUrl = await use('DATABASE_URL', () => startPostgres());
    const redisUrl = await use('REDIS_URL', () => startRedis());
    return { postgresUrl, redisUrl, names, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`A service the tests need is missing. ${reason}`, { cause: error });
  }
}

/** Says so before the first test, rather than in each of them. Leaves out the password. */
async function assertAnswers(variable: string, url: string): Promise<void> {
  const { protocol, hostname, port } = new URL(url);
  const defaultPort = protocol.startsWith('redis') ? 6379 : 5432;
  const socket = connect(Number(port || defaultPort), hostname);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(10_000) });
  } catch {
    const address = `${hostname}:${port || defaultPort}`;
    throw new Error(`${variable} names a server at ${address} that does not answer.`);
  } finally {
    socket.destroy();
  }
}
