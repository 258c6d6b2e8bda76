// One side of a comparison, in a process of its own. What the kit switches on for a whole process,
// such as the tracking of async contexts, must not slow down the framework that it is compared with.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallKind, callsOf, workOfCalls } from './bench-calls.ts';
import type { Framework } from './bench-requests.ts';
import { trpcApp } from './trpc-app.ts';
import { yogaApp } from './yoga-app.ts';

/** What the process is told: first which side it is, then what to do. */
export interface Side {
  readonly framework: Framework;
  readonly guarded: boolean;
}

export interface Order {
  readonly kind: CallKind;
  readonly count: number;
}

/** What it says: where it listens, then how much work each order was. */
export type Report = { readonly port: number } | { readonly micros: number };

process.once('message', ({ framework, guarded }: Side) => {
  const app = framework === 'yoga' ? yogaApp({ guarded }) : trpcApp({ guarded });
  const server = createServer(app.listener);
  server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }));

  process.on('message', ({ kind, count }: Order) => {
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
