import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import type { Service } from './service-process.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    redisUrl: string;
  }
}

/** Starts the servers the tests need, once per run, and stops them after it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started: Service[] = [];
  const stopAll = async () => {
    await Promise.all(started.map((service) => service.stop()));
  };
  const own = async (starting: Promise<Service>): Promise<string> => {
    const service = await starting;
    started.push(service);
    console.log(`Testing against ${service.name}.`);
    return service.url;
  };

  try {
    project.provide('postgresUrl', process.env['DATABASE_URL'] ?? (await own(startPostgres())));
    project.provide('redisUrl', process.env['REDIS_URL'] ?? (await own(startRedis())));
  } catch (error) {
    await stopAll();
    throw new Error(`A service the tests need is missing. ${(error as Error).message}`, {
      cause: error,
    });
  }
  return stopAll;
}
