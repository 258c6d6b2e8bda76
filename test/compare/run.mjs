// npm run compare: what becomes of a mutation in other libraries, and in this one.
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
  const { main } = await vite.ssrLoadModule('/test/compare/main.ts');
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  await vite.close();
}
