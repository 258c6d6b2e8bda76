import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeStore } from '@onceward/conformance';
import { again, newRequest } from '@onceward/conformance/requests';
import { PrismaPg } from '@prisma/adapter-pg';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AtomicDriver, OpenedDriver } from '../../test/drivers/atomic-driver.ts';
import { describeAtomicDriver } from '../../test/drivers/describe-atomic-driver.ts';
import { openShop, openStoreHarness } from '../../test/drivers/open-shop.ts';
import { openPgAdmin } from '../../test/drivers/pg-admin.ts';
import { type GeneratedClient, generatePrismaClient } from '../../test/drivers/prisma-client.ts';
import type { PrismaDatabase } from './prisma.ts';

/** What the tests use of the client that is generated when they start. */
interface PrismaClient extends PrismaDatabase {
  readonly effect: { create(args: { data: { effect: string } }): Promise<unknown> };
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown[]>;
  $transaction<Value>(callback: (transaction: PrismaClient) => Promise<Value>): Promise<Value>;
  $extends(extension: object): PrismaClient;
  $disconnect(): Promise<void>;
}

interface ClientOptions {
  readonly adapter: PrismaPg;
  readonly transactionOptions?: { readonly timeout: number };
}

let generated: GeneratedClient;
let Client: new (options: ClientOptions) => PrismaClient;
beforeAll(async () => {
  generated = await generatePrismaClient();
  const module = (await import(generated.module)) as { PrismaClient: typeof Client };
  Client = module.PrismaClient;
});
afterAll(() => generated[Symbol.asyncDispose]());

const prisma: AtomicDriver = {
  open(url, { schema, max, customised }) {
    const adapter = new PrismaPg({ connectionString: url, max }, { schema });
    const client = new Client({ adapter });
    return openedWith(customised ? client.$extends(extension) : client);
  },
  // BEGIN, SET TRANSACTION, lock, look-up, statement, completion, COMMIT, and reading that it was one.
  roundTrips: { bare: 3, atomic: 8, replay: 5 },
};

function openedWith(client: PrismaClient): OpenedDriver {
  const of = (transaction: unknown) => transaction as PrismaClient;
  const write = async (transaction: unknown, effect: string) => {
    await of(transaction).effect.create({ data: { effect } });
  };
  return {
    driver: client,
    write,
    execute: (transaction, text) => of(transaction).$queryRawUnsafe(text),
    savepoint: (transaction, body) => of(transaction).$transaction((nested) => body(nested)),
    writeAlone: (effect) => client.$transaction((transaction) => write(transaction, effect)),
    [Symbol.asyncDispose]: () => client.$disconnect(),
  };
}

const extension = {
  name: 'theirs',
  query: { $allModels: { $allOperations: ({ args, query }: Operation) => query(args) } },
  client: { $theirs: () => true },
};

interface Operation {
  readonly args: unknown;
  query(args: unknown): Promise<unknown>;
}

describe('the Postgres store over Prisma', () => {
  const admin = openPgAdmin();
  afterAll(() => admin[Symbol.asyncDispose]());

  describeAtomicDriver(prisma, admin);
  describeStore({ describe, test }, () => openStoreHarness(prisma, admin), {
    transactions: 'concurrent',
    reconciling: true,
  });
});

test('a handler that takes longer than Prisma allows for leaves neither effect nor record', async () => {
  await using admin = openPgAdmin();
  const hasty: AtomicDriver = {
    ...prisma,
    open(url, options) {
      const adapter = new PrismaPg({ connectionString: url }, { schema: options.schema });
      const client = new Client({ adapter, transactionOptions: { timeout: 100 } });
      return openedWith(client);
    },
  };
  await using shop = await openShop(hasty, admin);
  const request = newRequest();
  const slow = shop.pay(request, () => new Promise((resolve) => setTimeout(resolve, 250)));
  await expect(slow).rejects.toThrow(/Transaction/);
  expect(await shop.count(request.key)).toBe(0);
  expect(await shop.store.find(request)).toBeUndefined();
  expect(await shop.pay(again(request))).toEqual({ kind: 'committed' });
});

test('a handler is given the client of an interactive transaction, and its types', async () => {
  const handler = join(dirname(generated.module), 'handler.ts');
  await writeFile(
    handler,
    `import { postgresStore, type TransactionOf } from '@onceward/postgres';
     import type { Prisma, PrismaClient } from './client.ts';

     type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
     export const same: Same<TransactionOf<PrismaClient>, Prisma.TransactionClient> = true;

     declare const prisma: PrismaClient;
     declare const request: Parameters<ReturnType<typeof postgresStore>['transact']>[0];
     void postgresStore(prisma).transact(request, async (tx) => {
       const { effect } = await tx.effect.create({ data: { effect: 'paid' } });
       effect satisfies string;
       // @ts-expect-error: there is no such column
       await tx.effect.create({ data: { amount: 1 } });
       // @ts-expect-error: the connection is not the handler's
       void tx.$disconnect;
       return { kind: 'roll-back' };
     });
     const extended = prisma.$extends({ client: { $theirs: () => 1 } });
     void postgresStore(extended).transact(request, async (tx) => {
       tx.$theirs() satisfies number;
       await tx.effect.findMany();
       return { kind: 'roll-back' };
     });`,
  );
  expect(typeErrorsIn(handler)).toEqual([]);
}, 60_000);

function typeErrorsIn(file: string): string[] {
  const root = join(import.meta.dirname, '../../../..');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([file], options);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
