import { answerJson, answerRefusal } from './answers/answer-json.ts';
import { answerPage } from './answers/answer-page.ts';
import { isTooSlow } from './answers/is-too-slow.ts';
import { Refusal } from './answers/refusal.ts';
import { secured } from './answers/secured.ts';
import type { Call } from './api/call.ts';
import { endpoints } from './api/endpoints.ts';
import {
  type ConsoleOptions,
  type ResolvedConsole,
  resolveConsoleOptions,
} from './console-options.ts';
import { isSameOrigin } from './guards/is-same-origin.ts';
import { tokenHeader } from './guards/csrf-token.ts';
import { admit, type AdmittedOperator } from './guards/operator.ts';
import { readBody } from './guards/read-body.ts';

/** Answers requests for the console's page and its API. Never rejects. */
export type ConsoleHandler = (request: Request) => Promise<Response>;

/**
 * The operator's page, as a fetch handler.
 *
 * Every request goes through `authorize` first, those for scripts and styles included.
 *
 * @example
 * ```ts
 * const handler = createConsole({ postgres: pool, authorize: (request) => operatorOf(request) });
 * app.all('/console/*', (context) => handler(context.req.raw));
 * ```
 */
export function createConsole(options: ConsoleOptions): ConsoleHandler {
  const resolved = resolveConsoleOptions(options);
  return async (request) => {
    const operator = await admit(resolved, request);
    if (operator instanceof Response) return operator;
    try {
      return secured(await answer(request, operator, resolved));
    } catch (error) {
      return secured(answerRefusal(refusalFor(error, resolved)));
    }
  };
}

async function answer(
  request: Request,
  operator: AdmittedOperator,
  resolved: ResolvedConsole,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const { basePath } = resolved;
  if (!operator.may.includes('read')) throw new Refusal(403, 'forbidden');
  // Relative addresses in the page need the slash.
  if (pathname === basePath && basePath !== '') {
    return new Response(null, { status: 308, headers: { location: `${basePath}/` } });
  }
  if (!pathname.startsWith(`${basePath}/`)) throw new Refusal(404, 'not-found');
  const path = pathname.slice(basePath.length);
  if (path.startsWith('/api/')) {
    const call = { operator, resolved, searchParams, body: {} };
    return answerJson(await answerCall(request, path.slice('/api/'.length), call));
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refusal(405, 'wrong-method');
  const page = await answerPage(path);
  if (!page) throw new Refusal(404, 'not-found');
  return page;
}

/** Nothing is changed by anything but a POST of JSON from the page itself, with its token. */
async function answerCall(request: Request, name: string, call: Call): Promise<object> {
  const endpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  if (!endpoint) throw new Refusal(404, 'not-found');
  if (request.method !== endpoint.method) throw new Refusal(405, 'wrong-method');
  if (!call.operator.may.includes(endpoint.needs)) throw new Refusal(403, 'forbidden');
  if (endpoint.method === 'GET') return endpoint.run(call);

  const { origin, tokens } = call.resolved;
  if (!isSameOrigin(request, origin)) throw new Refusal(403, 'not-same-origin');
  if (!tokens.accepts(request.headers.get(tokenHeader), call.operator)) {
    throw new Refusal(403, 'token-refused');
  }
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new Refusal(415, 'not-json');
  return endpoint.run({ ...call, body: await readBody(request) });
}

/** What is told of an error: that there was one. The rest is for whoever runs the server. */
function refusalFor(error: unknown, { onError }: ResolvedConsole): Refusal {
  if (error instanceof Refusal) return error;
  onError(error);
  return isTooSlow(error) ? new Refusal(503, 'too-slow') : new Refusal(500, 'store-failed');
}
