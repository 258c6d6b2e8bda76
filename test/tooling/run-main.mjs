import { createServer, defaultServerConditions } from 'vite';

/**
 * Calls `main` of a TypeScript program, on the sources of our packages. A program that answers
 * `false` has failed.
 *
 * @param {string} file from the root, with a slash in front
 * @param {{ args?: readonly string[], root?: string, conditions?: readonly string[] }} [options]
 */
export async function runMain(
  file,
  {
    args = [],
    root = new URL('../..', import.meta.url).pathname,
    conditions = defaultServerConditions,
  } = {},
) {
  const vite = await createServer({
    configFile: false,
    logLevel: 'warn',
    root,
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
    ssr: { resolve: { conditions: ['@onceward/source', ...conditions] } },
    // Node.js 20 does not know `using`.
    oxc: { target: 'es2022' },
  });
  try {
    const { main } = await vite.ssrLoadModule(file);
    if ((await main(args)) === false) process.exitCode = 1;
  } finally {
    await vite.close();
  }
}
