import { createRequire } from 'node:module';

/** Of this package. Read when it is asked for: from `src` and `dist` alike, one folder up. */
export function version(): string {
  const require = createRequire(import.meta.url);
  return (require('../package.json') as { version: string }).version;
}
