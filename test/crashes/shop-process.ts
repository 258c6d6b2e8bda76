// One server of an example that takes payments until it dies, at a named point if it is told to.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProbePoint } from '@onceward/server';
import pg from 'pg';
import { createPayments as withKeys } from '../../examples/payments-with-keys/src/payments.ts';
import { createPayments as withoutKeys } from '../../examples/payments-without-keys/src/payments.ts';

export type Example = 'payments-with-keys' | 'payments-without-keys';

export interface ShopOrder {
  readonly example: Example;
  readonly databaseUrl: string;
  readonly providerUrl: string;
  /** Dies there, when it comes there for the `time`th time. */
  readonly dieAt?: { readonly point: ProbePoint | 'answered'; readonly time: number } | undefined;
}

process.on('message', (order: ShopOrder) => void serve(order));
// A server that dies while it looks is not waited for long.
const looking = { everyMs: 200, firstDelayMs: 200, lookMs: 1_000 };
process.on('disconnect', () => process.exit());

async function serve({ example, databaseUrl, providerUrl, dieAt }: ShopOrder): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  let left = dieAt?.time ?? 0;
  const pass = (point: ProbePoint | 'answered') => {
    if (point === dieAt?.point && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
  const options = {
    pool,
    providerUrl,
    leaseMs: 600,
    unknownRetryAfterMs: 100,
    probe: pass,
  };
  const payments =
    example === 'payments-with-keys'
      ? withKeys(options)
      : await withoutKeys({ ...options, quietMs: 1_500, looking });
  payments.start();
  const server = createServer((request, response) => {
    response.once('finish', () => pass('answered'));
    payments.listener(request, response);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
}
