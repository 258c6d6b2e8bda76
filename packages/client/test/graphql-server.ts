import type { OnExecuteDoneEventPayload } from '@envelop/core';
import { type ErrorCode, IdempotencyError } from '@onceward/core';
import { type ExecutionArgs, getOperationAST, type GraphQLError } from 'graphql';
import { createGraphQLError, createSchema, createYoga, type Plugin } from 'graphql-yoga';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One mutation, as the server saw it. */
export interface Call {
  /** In `extensions`, unquoted in the header, and in the variable: wherever it was. */
  readonly keys: { extensions?: string; header?: string; variable?: string };
  readonly variables: Record<string, unknown>;
}

/** What becomes of one HTTP request, instead of Yoga's answer. */
export type Fault = (response: ServerResponse, request: IncomingMessage) => void;

/** What a mutation answers, or throws; with `before` set, without being executed. */
export interface Answer {
  (call: Call): unknown;
  readonly before?: boolean;
}

export interface GraphQLScript {
  /** For one HTTP request after another; `undefined` and all further ones reach Yoga. */
  readonly faults?: readonly (Fault | undefined)[];
  /** For one mutation after another; the last one repeats. */
  readonly answers?: readonly Answer[];
  /** Whether one result after another says that it is a replay. */
  readonly replayed?: readonly boolean[];
  /** What the server says it speaks, whatever the client would rather hear. */
  readonly mediaType?: MediaType;
}

export type MediaType = (typeof mediaTypes)[number];
export const mediaTypes = ['application/json', 'application/graphql-response+json'] as const;

export const paid: Answer = ({ variables }) => ({ id: 'p1', cents: variables['cents'] });

/** As the server's plugin refuses: nothing is executed, and there is no `data`. */
export function refuse(error: IdempotencyError, headers: Record<string, string> = {}): Answer {
  const { message, code } = error;
  const http = { status: error.httpStatus, headers };
  const extensions = { code, idempotency: error.toJSON(), http };
  return Object.assign(
    () => {
      throw createGraphQLError(message, { extensions });
    },
    { before: true },
  );
}

/** With a code of the table and nothing else, as through a server that formats its errors. */
export function refuseWithCode(code: ErrorCode, status: number): Answer {
  return Object.assign(
    () => {
      throw createGraphQLError(code, { extensions: { code, http: { status } } });
    },
    { before: true },
  );
}

/** Answers with an error of the application, after executing. */
export function fail(message: string, code = 'FORBIDDEN'): Answer {
  return () => {
    throw createGraphQLError(message, { extensions: { code } });
  };
}

/** Executes, and asks a service further in that is still at it: an older server lets its code out. */
export const paidBesideRefusal: Answer = () => ({ id: 'p1', cents: inProgress() });

export function inProgress(retryAfterMs = 1): Answer {
  return refuse(new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs }));
}

/** A Yoga server on the loopback interface that follows a script. */
export async function openGraphQLServer({
  faults = [],
  answers = [paid],
  replayed = [],
  mediaType,
}: GraphQLScript = {}) {
  const calls: Call[] = [];
  const queries: string[] = [];
  const extensions: object[] = [];
  const requests: { headers: IncomingMessage['headers'] }[] = [];
  const scripted: Plugin<{ answer: () => unknown }> = {
    onExecute({ args, setResultAndStopExecution, extendContext }) {
      if (String(getOperationAST(args.document)?.operation) !== 'mutation') return;
      const call = callOf(args);
      calls.push(call);
      const { params } = args.contextValue as { params: { query?: string; extensions?: object } };
      queries.push(params.query ?? '');
      extensions.push(params.extensions ?? {});
      const answer = answers[Math.min(calls.length, answers.length) - 1] ?? paid;
      extendContext({ answer: () => answer(call) });
      if (!answer.before) return { onExecuteDone: markReplay(replayed[calls.length - 1]) };
      try {
        answer(call);
      } catch (error) {
        setResultAndStopExecution({ errors: [error as GraphQLError] });
      }
    },
  };
  const yoga = createYoga({ schema, plugins: [scripted], batching: true, logging: false });
  const server = createServer((request, response) => {
    requests.push({ headers: { ...request.headers } });
    if (mediaType) request.headers.accept = mediaType;
    const fault = faults[requests.length - 1];
    if (!fault) return void yoga(request, response);
    // Not before all of it has arrived: a client that still writes would see another error.
    request.resume().on('end', () => fault(response, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    socketUrl: `ws://127.0.0.1:${port}/graphql`,
    yoga,
    http: server,
    calls,
    requests,
    /** The documents of the mutations, as they came. */
    queries,
    /** What they had beside their variables. */
    extensions,
    /** The keys of the mutations, in order of arrival, from wherever they were. */
    keys: () => calls.map(({ keys }) => keys.extensions ?? keys.header ?? keys.variable),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** In the body, as the server's plugin does. */
function markReplay(replayed: boolean | undefined) {
  return ({ result, setResult }: OnExecuteDoneEventPayload<object>) => {
    if (!replayed || !('data' in result)) return;
    setResult({ ...result, extensions: { idempotency: { replayed } } });
  };
}

function callOf({ contextValue, variableValues }: ExecutionArgs): Call {
  const { params, request } = contextValue as {
    params: { extensions?: Record<string, string> };
    request?: Request;
  };
  const variables = { ...variableValues };
  const header = request?.headers.get('idempotency-key');
  return {
    keys: {
      ...(params.extensions?.['idempotencyKey'] && {
        extensions: params.extensions['idempotencyKey'],
      }),
      ...(header && { header: JSON.parse(header) as string }),
      ...(typeof variables['idempotencyKey'] === 'string' && {
        variable: variables['idempotencyKey'],
      }),
    },
    variables,
  };
}

const resolvers = {
  Query: { balance: () => 100 },
  Mutation: {
    pay: (_: unknown, __: unknown, { answer }: { answer: () => unknown }) => answer(),
    cancel: (_: unknown, __: unknown, { answer }: { answer: () => unknown }) => answer(),
  },
};

const schema = createSchema({
  typeDefs: /* GraphQL */ `
    directive @idempotent(key: String!) on FIELD
    type Payment {
      id: ID!
      cents: Int
    }
    type Query {
      balance: Int!
    }
    type Mutation {
      pay(cents: Int, at: String): Payment
      cancel(id: ID!): Payment
    }
  `,
  resolvers,
});
