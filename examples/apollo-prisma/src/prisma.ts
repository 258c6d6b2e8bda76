import { PrismaPg } from '@prisma/adapter-pg';
import { generatePrismaClient } from '../../../packages/postgres/test/drivers/prisma-client.ts';

export interface Payment {
  readonly id: number;
  readonly cents: number;
}

/**
 * What the server uses of the client that Prisma generates from the model below.
 *
 * In an application `prisma generate` has written it, with its types, before anything is compiled.
 */
export interface PrismaClient {
  readonly payment: {
    create(args: { data: { cents: number } }): Promise<Payment>;
    findMany(): Promise<Payment[]>;
  };
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown[]>;
  $transaction<Value>(callback: (tx: PrismaClient) => Promise<Value>): Promise<Value>;
  $disconnect(): Promise<void>;
}

const model = `
model Payment {
  id    Int @id @default(autoincrement())
  cents Int

  @@map("payments")
}
`;

export interface OpenedPrisma extends AsyncDisposable {
  readonly prisma: PrismaClient;
}

/** Generates the client, and connects it. */
export async function openPrisma(connectionString: string): Promise<OpenedPrisma> {
  const generated = await generatePrismaClient(model);
  const { PrismaClient } = (await import(/* @vite-ignore */ generated.module)) as {
    PrismaClient: new (options: { adapter: PrismaPg }) => PrismaClient;
  };
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  return {
    prisma,
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect();
      await generated[Symbol.asyncDispose]();
    },
  };
}
