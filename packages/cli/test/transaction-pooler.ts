import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * A pooler in transaction mode, as PgBouncer is: whoever sends something while it has no backend
 * gets the one that was last given back, and keeps it until its transaction has ended.
 *
 * Only for servers that trust everybody: the backends are opened with one start-up message.
 */
export async function openTransactionPooler(
  url: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const target = new URL(url);
  const sockets: Socket[] = [];
  const free: Socket[] = [];

  const openBackend = async (startup: Buffer): Promise<Backend> => {
    const socket = connect(Number(target.port), target.hostname);
    sockets.push(socket.on('error', () => undefined));
    socket.write(startup);
    let greeting = Buffer.alloc(0);
    while (!endsIdle(greeting)) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      greeting = Buffer.concat([greeting, chunk]);
    }
    return { socket, greeting };
  };

  const server = createServer((client) => {
    sockets.push(client.on('error', () => undefined));
    let startup: Buffer | undefined;
    let backend: Socket | undefined;
    const answer = (chunk: Buffer) => {
      client.write(chunk);
      if (!endsIdle(chunk) || !backend) return;
      backend.off('data', answer);
      free.push(backend);
      backend = undefined;
    };
    client.on('data', (chunk: Buffer) => {
      void (async () => {
        if (!startup) {
          startup = chunk;
          const opened = await openBackend(chunk);
          free.push(opened.socket);
          client.write(opened.greeting);
          return;
        }
        // Terminate: the backend stays for others.
        if (chunk[0] === 0x58) return;
        if (!backend) {
          backend = free.pop() ?? (await openBackend(startup)).socket;
          backend.on('data', answer);
        }
        backend.write(chunk);
      })();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pooled = new URL(url);
  pooled.port = String((server.address() as AddressInfo).port);
  return {
    url: pooled.href,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Backend {
  readonly socket: Socket;
  readonly greeting: Buffer;
}

/** Whether the last message is ReadyForQuery, outside of a transaction. */
function endsIdle(bytes: Buffer): boolean {
  return bytes.length >= 6 && bytes.subarray(-6).equals(READY_AND_IDLE);
}

const READY_AND_IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
