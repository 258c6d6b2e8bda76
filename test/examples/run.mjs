// npm start in an example: runs `main` of its src/main.ts, on the sources of our packages.
import { createServer, defaultServerConditions } from 'vite';

const vite = await createServer({
  configFile: false,
  logLevel: 'warn',
  root: process.cwd(),
  server: { middlewareMode: true, ws: false },
  optimizeDeps: { noDiscovery: true },
  ssr: {
    resolve: {
      // Other packages are loaded as Node.js does it, which knows no condition `module`.
      conditions: [
        '@onceward/source',
        ...defaultServerConditions.filter((condition) => condition !== 'module'),
      ],
    },
  },
  // Node.js 20 does not know `using`.
  oxc: { target: 'es2022' },
});
try {
  const { main } = await vite.ssrLoadModule('/src/main.ts');
  await main();
} finally {
  await vite.close();
}
