import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type pg from 'pg';
import { keysIn } from '../faults/keys-in-headers.ts';
import { answerWithFaults, type RequestTools } from '../service/answer-with-faults.ts';
import { signInHint } from '../service/sign-in.ts';
import { createPlainRouter } from './plain-router.ts';
import { createPlainYoga } from './plain-yoga.ts';

/** Answers what the page sends without onceward: no key, and an `x-order` that only faults heed. */
export type PlainAnswerer = (request: Request) => Promise<Response | 'no-answer'>;

export function createPlainAnswerer(outside: pg.Pool, tools: RequestTools): PlainAnswerer {
  const router = createPlainRouter(outside);
  const yoga = createPlainYoga(outside);
  return (request) => {
    const { headers } = request;
    const orders = keysIn([headers.get('x-order') ?? '']);
    const [order = 'none'] = orders;
    return answerWithFaults(
      { headers, keys: orders },
      ({ user, faults }) => {
        if (!user) return new Response(`${signInHint}\n`, { status: 401 });
        const context = { user, order, faults };
        if (new URL(request.url).pathname === '/plain/graphql') return yoga.fetch(request, context);
        return fetchRequestHandler({
          endpoint: '/plain/trpc',
          req: request,
          router,
          createContext: () => context,
        });
      },
      tools,
    );
  };
}
