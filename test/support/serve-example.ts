import { join } from 'node:path';
import { createServer } from 'vite';
import { mutantPlugin } from '../mutants/runner/plugin.mjs';
import { root } from '../tooling/packages.mjs';

/** The page of an example and its server, as `npm start` serves them. */
export async function serveExample(name: string): Promise<AsyncDisposable & { url: string }> {
  const server = await createServer({
    root: join(root, 'examples', name),
    // Its own, so that an example somebody has started keeps the one it uses.
    cacheDir: join(root, `node_modules/.cache/onceward-example-${name}`),
    logLevel: 'warn',
    plugins: [mutantPlugin(process.env)],
    server: { host: '127.0.0.1', port: 0, ws: false },
  });
  await server.listen();
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    [Symbol.asyncDispose]: () => server.close(),
  };
}
