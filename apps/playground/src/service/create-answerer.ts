import type { ConsoleHandler } from '@onceward/console';
import { idempotencyResponseMeta } from '@onceward/server/trpc';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { keysInHeaders } from '../faults/keys-in-headers.ts';
import type { ShopYoga } from '../graphql/shop-yoga.ts';
import type { PlainAnswerer } from '../plain/answer-plain.ts';
import type { Queryable } from '../shop/queryable.ts';
import type { AppRouter } from '../trpc/app-router.ts';
import { createContext } from '../trpc/context.ts';
import { answerGraphql } from './answer-graphql.ts';
import { answerWithFaults, type RequestTools } from './answer-with-faults.ts';
import type { Answerer } from './http-server.ts';
import { answerPage, type PageFiles } from './page-files.ts';
import { signedInUser } from './sign-in.ts';

export interface AnswererTools {
  readonly router: AppRouter;
  readonly yoga: ShopYoga;
  /** The same without onceward, for comparison. */
  readonly plain: PlainAnswerer;
  readonly requestTools: RequestTools;
  readonly outside: Queryable;
  /** The operator's page. */
  readonly console: ConsoleHandler;
  readonly page: PageFiles;
}

/** Answers everything the server is asked: both APIs, its health, the page and the console. */
export function createAnswerer(tools: AnswererTools): Answerer {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/healthz') return answerHealth(tools.outside);
    if (pathname.startsWith('/trpc/')) return answerTrpc(request, tools);
    if (pathname === '/graphql') return answerGraphql(request, tools);
    if (pathname.startsWith('/plain/')) return tools.plain(request);
    if (pathname === '/console' || pathname.startsWith('/console/')) return tools.console(request);
    if (pathname === '/kill') return killServer(request, tools);
    return answerPage(tools.page, pathname) ?? new Response('Not found\n', { status: 404 });
  };
}

/**
 * Ends this process for whoever is signed in: other sites cannot make a browser send that header
 * here without asking first.
 */
function killServer({ method, headers }: Request, { requestTools }: AnswererTools): Response {
  if (method === 'POST' && signedInUser(headers)) requestTools.crash();
  return new Response('Expected a POST of somebody who is signed in\n', { status: 403 });
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
  { router, requestTools }: AnswererTools,
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
    requestTools,
  );
}
