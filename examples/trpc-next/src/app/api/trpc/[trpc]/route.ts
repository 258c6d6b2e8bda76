import { idempotencyResponseMeta } from '@onceward/server/trpc';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { appRouter, createContext } from '../../../../server/app-router.ts';

function handler(request: Request): Promise<Response> {
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext,
    responseMeta: idempotencyResponseMeta(),
  });
}

export { handler as GET, handler as POST };
