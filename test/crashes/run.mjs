// npm run crashes [-- --crashes 1000] [payments-with-keys]: kills servers of the payment examples
// with -9, at random, and counts what the provider charged.
import { createServer, defaultServerConditions } from 'vite';

const vite = await createServer({
  configFile: false,
  logLevel: 'warn',
  root: new URL('../..', import.meta.url).pathname,
  server: { middlewareMode: true, ws: false },
  optimizeDeps: { noDiscovery: true },
  ssr: { resolve: { conditions: ['@onceward/source', ...defaultServerConditions] } },
  // Node.js 20 does not know `using`.
  oxc: { target: 'es2022' },
});
try {
  const { main } = await vite.ssrLoadModule('/test/crashes/main.ts');
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} finally {
  await vite.close();
}
