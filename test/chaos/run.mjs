// npm run chaos [-- --minutes 20] [--seed N]: breaks everything while customers shop, and counts.
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
  const { main } = await vite.ssrLoadModule('/test/chaos/main.ts');
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} finally {
  await vite.close();
}
