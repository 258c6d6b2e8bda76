import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page on the loopback interface that loads one script. */
export async function serveScript(script: string) {
  const page = '<!doctype html><link rel="icon" href="data:,"><script src="/exercise.js"></script>';
  const server = createServer((request, response) => {
    const [type, body] =
      request.url === '/exercise.js' ? ['text/javascript', script] : ['text/html', page];
    response.setHeader('content-type', `${type}; charset=utf-8`).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
