import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Something outside that charges people. It honours no keys, and remembers what it has done. */
export interface Provider extends AsyncDisposable {
  readonly port: number;
  /** How often somebody was charged for this. */
  charges(tenant: string, key: string): number;
  /** How often anybody was, for anything. */
  allCharges(): number;
}

export interface Charge {
  readonly tenant: string;
  readonly key: string;
}

export async function openProvider(): Promise<Provider> {
  const charged = new Map<string, number>();
  const server = createServer((request, response) => {
    void json(request).then(
      (body) => {
        const { tenant, key } = body as Charge;
        const name = `${tenant} ${key}`;
        if (request.url === '/charge') charged.set(name, (charged.get(name) ?? 0) + 1);
        response.end(JSON.stringify({ charges: charged.get(name) ?? 0 }));
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    charges: (tenant, key) => charged.get(`${tenant} ${key}`) ?? 0,
    allCharges: () => [...charged.values()].reduce((sum, times) => sum + times, 0),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
