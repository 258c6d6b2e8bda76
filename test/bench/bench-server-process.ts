// One side of a comparison, in a process of its own. What the kit switches on for a whole process,
// such as the tracking of async contexts, must not slow down the framework that it is compared with.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallKind, callsOf, workOfCalls } from './bench-calls.ts';
import type { Protection } from './bench-app.ts';
import { trpcApp } from './trpc-app.ts';
import { yogaApp } from './yoga-app.ts';

/** What the process is told: first which side it is, then what to do. */
export type Side =
  | { readonly framework: 'yoga'; readonly protection: Protection }
  | { readonly framework: 'trpc'; readonly protection: Exclude<Protection, 'bare'> };

export type Order =
  /** Make so many calls. */
  | { readonly kind: CallKind; readonly count: number }
  /** Say how much work there was since it was last asked. */
  | 'say-work';

/** What it says: where it listens, then how much work each order was. */
export type Report = { readonly port: number } | { readonly micros: number };

process.once('message', (side: Side) => {
  const { framework } = side;
  const app = framework === 'yoga' ? yogaApp(side.protection) : trpcApp(side.protection);
  let before = process.cpuUsage();
  const server = createServer(app.listener);
  // Sockets stay open however long the others take their turns.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }));

  process.on('message', (order: Order) => {
    if (order === 'say-work') {
      const { user, system } = process.cpuUsage(before);
      before = process.cpuUsage();
      report({ micros: user + system });
      return;
    }
    const { kind, count } = order;
    void workOfCalls(callsOf(framework, kind, count), async ({ path, ...init }) => {
      const response = await app.fetch(`http://localhost${path}`, init);
      await response.text();
      return response.status;
    }).then((micros) => report({ micros }));
  });
});

function report(message: Report): void {
  process.send?.(message);
}
