import { idempotencyResponseMeta } from '@onceward/server/trpc';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { parseFaults } from '../faults/parse-faults.ts';
import { type FaultTools, requestFaults } from '../faults/request-faults.ts';
import type { Queryable } from '../shop/queryable.ts';
import type { AppRouter } from '../trpc/app-router.ts';
import { createContext } from '../trpc/context.ts';
import type { Answerer } from './http-server.ts';
import { answerPage, type PageFiles } from './page-files.ts';
import { signedInUser } from './sign-in.ts';

export interface AnswererTools {
  readonly router: AppRouter;
  readonly faultTools: FaultTools;
  readonly outside: Queryable;
  readonly page: PageFiles;
}

/** Answers everything the server is asked: the API, its health, and the page. */
export function createAnswerer(tools: AnswererTools): Answerer {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/healthz') return answerHealth(tools.outside);
    if (pathname.startsWith('/trpc/')) return answerTrpc(request, tools);
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

async function answerTrpc(
  request: Request,
  { router, faultTools }: AnswererTools,
): Promise<Response | 'no-answer'> {
  const { headers } = request;
  const user = signedInUser(headers);
  const parsed = parseFaults(headers.get('x-fault'));
  if ('problem' in parsed) return new Response(`${parsed.problem}\n`, { status: 400 });
  const faults = requestFaults(parsed.faults, { headers, user: user ?? '' }, faultTools);

  const early = await faults.onTheWayIn();
  if (early) return early;
  const answer = await fetchRequestHandler({
    endpoint: '/trpc',
    req: request,
    router,
    createContext: (source) => createContext(source, { user, faults }),
    responseMeta: idempotencyResponseMeta(),
  });
  return faults.onTheWayOut(answer);
}
