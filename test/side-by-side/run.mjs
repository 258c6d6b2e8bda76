// npm run side-by-side: what becomes of a mutation in other queues, and in this one.
import { createServer, defaultServerConditions } from 'vite';

const vite = await createServer({
  configFile: false,
  logLevel: 'warn',
  server: { middlewareMode: true, ws: false },
  optimizeDeps: { noDiscovery: true },
  ssr: { resolve: { conditions: ['@onceward/source', ...defaultServerConditions] } },
  // Node.js 20 does not know `using`.
  oxc: { target: 'es2022' },
});
try {
  const { main } = await vite.ssrLoadModule('/test/side-by-side/main.ts');
  await main();
} finally {
  await vite.close();
}
