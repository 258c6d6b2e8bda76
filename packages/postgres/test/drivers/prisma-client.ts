import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A client as `prisma generate` makes it. */
export interface GeneratedClient extends AsyncDisposable {
  /** The module that exports `PrismaClient`. */
  readonly module: string;
}

/**
 * Generates the client of some models, or of one table, `effects`, with Prisma's own generator, which
 * the command `prisma` would start.
 *
 * Without that command: it also wants a schema engine, which is no part of a package but downloaded
 * when it is first needed. Beside the tests, because what is generated imports `@prisma/client`.
 */
export async function generatePrismaClient(models = effects): Promise<GeneratedClient> {
  const folder = await mkdtemp(join(import.meta.dirname, 'generated-'));
  const schemaPath = join(folder, 'schema.prisma');
  await writeFile(schemaPath, settings + models);
  const schemaContext = await internals.loadSchemaContext({
    schemaPath: { cliProvidedPath: schemaPath },
    printLoadMessage: false,
  });
  const generator = new PrismaClientTsGenerator();
  const generators = await internals.getGenerators({
    schemaContext,
    registry: { 'prisma-client': { type: 'in-process', generator } },
    skipDownload: true,
  });
  for (const one of generators) {
    await one.generate();
    one.stop();
  }
  return {
    module: join(folder, 'client', 'client.ts'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const settings = `
generator client {
  provider   = "prisma-client"
  output     = "client"
  engineType = "client"
}

datasource db {
  provider = "postgresql"
}
`;

const effects = `
model Effect {
  id     String @id @default(dbgenerated("gen_random_uuid()")) @db.Uuid
  effect String

  @@map("effects")
}
`;

// Their modules for Node.js import each other without an extension, and cannot be loaded.
const require = createRequire(import.meta.url);
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts') as {
  PrismaClientTsGenerator: new () => object;
};
const internals = require('@prisma/internals') as {
  loadSchemaContext(options: object): Promise<object>;
  getGenerators(options: object): Promise<{ generate(): Promise<void>; stop(): void }[]>;
};
