import { idempotencyResponseMeta } from '@onceward/server/trpc';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { keysInHeaders } from '../faults/keys-in-headers.ts';
import type { FaultTools } from '../faults/request-faults.ts';
import type { ShopYoga } from '../graphql/shop-yoga.ts';
import type { Queryable } from '../shop/queryable.ts';
import type { AppRouter } from '../trpc/app-router.ts';
import { createContext } from '../trpc/context.ts';
import { answerGraphql } from './answer-graphql.ts';
import { answerWithFaults } from './answer-with-faults.ts';
import type { Answerer } from './http-server.ts';
import { answerPage, type PageFiles } from './page-files.ts';

export interface AnswererTools {
  readonly router: AppRouter;
  readonly yoga: ShopYoga;
  readonly faultTools: FaultTools;
  readonly outside: Queryable;
  readonly page: PageFiles;
}

/** Answers everything the server is asked: both APIs, its health, and the page. */
export function createAnswerer(tools: AnswererTools): Answerer {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/healthz') return answerHealth(tools.outside);
    if (pathname.startsWith('/trpc/')) return answerTrpc(request, tools);
    if (pathname === '/graphql') return answerGraphql(request, tools);
    return answerPage(tools.page, pathname) ?? new Response('Not found\n', { status: 404 });
  };
}

async function answerHealth(database: Queryable): Promise<Response> {
  try {
    await database.query('select 1', []);
    return new Response('ok\n');
  } catch {
    return new Response('The database does not answer\n', { status: 503 });
  }
}

function answerTrpc(
  request: Request,
  { router, faultTools }: AnswererTools,
): Promise<Response | 'no-answer'> {
  const { headers } = request;
  return answerWithFaults(
    { headers, keys: keysInHeaders(headers) },
    (caller) =>
      fetchRequestHandler({
        endpoint: '/trpc',
        req: request,
        router,
        createContext: (source) => createContext(source, caller),
        responseMeta: idempotencyResponseMeta(),
      }),
    faultTools,
  );
}
