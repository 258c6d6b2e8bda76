import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from './listen.ts';

/** A port of the loopback interface that nobody listens on at the moment. */
export function freePort(): Promise<number> {
  return listenBriefly(0, '127.0.0.1');
}

/** Throws when somebody listens on the port, and is not a former playground about to end. */
export async function assertPortIsFree(port: number, host: string): Promise<void> {
  const deadline = performance.now() + 2_000;
  for (;;) {
    try {
      await listenBriefly(port, host);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(100);
    }
  }
}

async function listenBriefly(port: number, host: string): Promise<number> {
  const server = createServer();
  const found = await listen(server, port, host);
  server.close();
  await once(server, 'close');
  return found;
}
