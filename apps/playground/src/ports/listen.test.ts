import { EventEmitter } from 'node:events';
import type { Server } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

test.for([
  { port: 4000, another: 4001 },
  { port: 65_535, another: 65_534 },
])('when port $port is in use, $another is suggested', async ({ port, another }) => {
  await expect(listen(serverOnPortInUse(), port, '127.0.0.1')).rejects.toThrow(
    `Port ${port} is in use. Choose another one: PORT=${another} npm start`,
  );
});

/** A real one would need a port that others may need at the same time. */
function serverOnPortInUse(): Server {
  const server = new EventEmitter();
  const inUse = Object.assign(new Error('in use'), { code: 'EADDRINUSE' });
  const listen = () => void process.nextTick(() => server.emit('error', inUse));
  return Object.assign(server, { listen }) as unknown as Server;
}
