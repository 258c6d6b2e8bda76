import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Listens, or says in words why it cannot. Resolves with the port, which is new for port 0. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const another = port < 65_535 ? port + 1 : port - 1;
    throw new Error(`Port ${port} is in use. Choose another one: PORT=${another} npm start`, {
      cause: error,
    });
  }
  return (server.address() as AddressInfo).port;
}
