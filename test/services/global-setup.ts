import type { TestProject } from 'vitest/node';
import { startServices } from './start-services.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    redisUrl: string;
  }
}

/** Starts the servers the tests need, once per run, and stops them after it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const services = await startServices();
  console.log(`Testing against ${services.names.join(' and ')}.`);
  project.provide('postgresUrl', services.postgresUrl);
  project.provide('redisUrl', services.redisUrl);
  return () => services.stop();
}
