import { headerNames, IdempotencyError, parseKeyHeader } from '@onceward/core';
import { httpDate, latestDateMs } from '../answers/expiry-date.ts';
import type { Effect } from '../effect.ts';
import type { Mutation } from '../engine.ts';
import { invalidKey, type KeySyntax } from '../incoming/read-key.ts';
import { headerLines } from '../incoming/request-headers.ts';
import type { IntentResult } from '../run-intent.ts';
import { problemResponse, tooLongResponse } from './problem.ts';
import { type ReadRequest, readRequest } from './request-input.ts';
import { ResponseFailure } from './response-failure.ts';
import { responseFrom, storableResponse, type StoredResponse } from './stored-response.ts';

/** Answers a request; never rejects because of what a client sent. */
export type Route<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Promise<Response>;

/** Tells who calls, or answers whoever nobody knows. */
export type ScopeOf<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Scope | Promise<Scope>;

type Scope = string | readonly string[] | Response;

export interface RouteTools<Rest extends readonly unknown[]> {
  readonly scope: ScopeOf<Rest>;
  readonly keySyntax: KeySyntax;
  readonly maxBodyBytes: number;
  readonly replayHeaders: ReadonlySet<string>;
  readonly docsUrl: string | undefined;
}

interface RouteDeclaration<Rest extends readonly unknown[]> {
  readonly mutation: Pick<Mutation<Effect, never>, 'resultOnce'>;
  readonly handler: (request: Request, attempt: unknown, ...rest: Rest) => Promise<Response>;
  readonly input: ((request: Request, ...rest: Rest) => unknown) | undefined;
  readonly tools: RouteTools<Rest>;
}

export function createRoute<Rest extends readonly unknown[]>(
  declaration: RouteDeclaration<Rest>,
): Route<Rest> {
  const { docsUrl, maxBodyBytes } = declaration.tools;
  return async (request, ...rest) => {
    try {
      const read = await readRequest(request, maxBodyBytes);
      if (!read) return tooLongResponse(maxBodyBytes);
      const scope = await declaration.tools.scope(read.copy(), ...rest);
      if (scope instanceof Response) return scope;
      return answered(await run(declaration, read, { scope, request, rest }));
    } catch (error) {
      if (IdempotencyError.is(error)) return problemResponse(error, docsUrl);
      if (error instanceof ResponseFailure) return responseFrom(error.response);
      throw error;
    }
  };
}

interface Call<Rest> {
  readonly scope: string | readonly string[];
  readonly request: Request;
  readonly rest: Rest;
}

async function run<Rest extends readonly unknown[]>(
  { mutation, handler, input, tools }: RouteDeclaration<Rest>,
  read: ReadRequest,
  { scope, request, rest }: Call<Rest>,
): Promise<IntentResult<StoredResponse>> {
  const intent = {
    scope,
    key: keyOf(request, tools.keySyntax),
    input: input ? await input(read.copy(), ...rest) : read.input(),
  };
  return mutation.resultOnce(intent, async (attempt) => {
    const response = await responseOf(() => handler(read.copy(), attempt, ...rest));
    const stored = await storableResponse(response, tools.replayHeaders);
    if (stored.status >= 400) throw new ResponseFailure(stored);
    return stored;
  });
}

/** A response may be thrown as well as returned, as in Remix. */
async function responseOf(handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}

function keyOf(request: Request, syntax: KeySyntax): string | undefined {
  const parsed = parseKeyHeader(headerLines(request.headers, headerNames.key), syntax);
  if (parsed.kind === 'invalid') throw invalidKey(parsed.problem);
  return parsed.kind === 'key' ? parsed.key : undefined;
}

function answered({ result, replayed, answerExpiresAt }: IntentResult<StoredResponse>): Response {
  if (result.kind === 'failure') return described(ResponseFailure.of(result.error).response);
  return described(result.value);

  function described(stored: StoredResponse): Response {
    const response = responseFrom(stored);
    if (replayed) response.headers.set(headerNames.replayed, 'true');
    if (answerExpiresAt !== undefined) {
      const expiresAt = Math.min(answerExpiresAt, latestDateMs);
      response.headers.set(headerNames.expires, httpDate(expiresAt));
    }
    return response;
  }
}
