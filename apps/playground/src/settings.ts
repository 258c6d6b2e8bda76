import { resolve } from 'node:path';

/** What can be chosen from outside. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Where the data is kept. */
  readonly dataFolder: string;
}

export function readSettings(environment: NodeJS.ProcessEnv, defaultData: string): Settings {
  const port = Number(environment['PORT'] || 4000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT is ${environment['PORT']}: expected a number from 1 to 65535.`);
  }
  return {
    port,
    // Whoever can reach the playground can sign in as anybody, and crash it.
    host: environment['HOST'] || '127.0.0.1',
    dataFolder: resolve(environment['PLAYGROUND_DATA'] || defaultData),
  };
}
