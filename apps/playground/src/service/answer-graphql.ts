import { TRPCError } from '@trpc/server';
import { shouldRenderGraphiQL } from 'graphql-yoga';
import { keysInHeaders } from '../faults/keys-in-headers.ts';
import { graphiqlPage } from '../graphql/graphiql-page.ts';
import { keysInBody } from '../graphql/keys-in-body.ts';
import type { ShopYoga } from '../graphql/shop-yoga.ts';
import { answerWithFaults, type RequestTools } from './answer-with-faults.ts';
import { signInHint } from './sign-in.ts';

/** Answers over GraphQL; browsers that look for a page get GraphiQL, whoever they are. */
export async function answerGraphql(
  request: Request,
  { yoga, requestTools }: { readonly yoga: ShopYoga; readonly requestTools: RequestTools },
): Promise<Response | 'no-answer'> {
  if (shouldRenderGraphiQL(request)) return graphiqlPage();
  const { url, method, headers } = request;
  const body = await readBody(request);
  if (body instanceof Response) return body;

  const keys = [...keysInHeaders(headers), ...keysInBody(body ?? '')];
  return answerWithFaults(
    { headers, keys },
    ({ user, faults }) =>
      user ? yoga.fetch(url, { method, headers, body }, { user, faults }) : unauthorized(),
    requestTools,
  );
}

/** Read once for all, because faults need the keys in it. A response is a refusal. */
async function readBody(request: Request): Promise<string | null | Response> {
  if (!request.body) return null;
  try {
    return await request.text();
  } catch (error) {
    if (!(error instanceof TRPCError && error.code === 'PAYLOAD_TOO_LARGE')) throw error;
    return new Response('The body is too large\n', { status: 413 });
  }
}

function unauthorized(): Response {
  const error = { message: signInHint, extensions: { code: 'UNAUTHORIZED' } };
  return Response.json({ errors: [error] }, { status: 401 });
}
