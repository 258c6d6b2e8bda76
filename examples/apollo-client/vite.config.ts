import { defaultClientConditions, defaultServerConditions, defineConfig, type Plugin } from 'vite';
import type * as paymentsModule from './src/payments-server.ts';

export default defineConfig({
  plugins: [paymentsServer()],
  // Only because this repository reads its packages from their sources; the published ones need
  // none of it. Node.js 20 does not know `using`, hence the target.
  resolve: { conditions: ['@onceward/source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['@onceward/source', ...defaultServerConditions] } },
  oxc: { target: 'es2022' },
});

/** Serves the page and the payments with one command. */
function paymentsServer(): Plugin {
  return {
    name: 'payments-server',
    async configureServer(server) {
      const loaded = await server.ssrLoadModule('/src/payments-server.ts');
      const { createPaymentsServer } = loaded as typeof paymentsModule;
      const yoga = createPaymentsServer();
      server.middlewares.use((request, response, next) => {
        if (request.url !== '/graphql') return next();
        void yoga(request, response);
      });
    },
  };
}
