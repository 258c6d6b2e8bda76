import { mintKey } from '@onceward/core';
import type { Delivery } from './send.ts';
import type { Playground } from './start-playground.ts';

/** An operation, or a batch of them, as the body of a request. */
export type Body = Operation | readonly Operation[];

export interface Operation {
  readonly query: string;
  readonly variables?: object;
  readonly extensions?: object;
}

/** What came back; `undefined` when the connection ended without an answer. */
export interface GraphqlAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The bytes of `data`. */
  readonly data: string | undefined;
  /** The answer as it was parsed: one, or those of a batch. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  /** Why the kit refused it. */
  readonly refusal: string | undefined;
}

/** Sends an operation as a stranger would, without any code of ours. */
export async function sendGraphql(
  { url }: Playground,
  body: Body,
  { user = 'alice', key, fault }: Delivery = {},
): Promise<GraphqlAnswer | undefined> {
  const headers = {
    'content-type': 'application/json',
    ...(user && { authorization: `Bearer ${user}` }),
    ...(key !== '' && { 'idempotency-key': key ?? `"${mintKey()}"` }),
    ...(fault && { 'x-fault': fault }),
  };
  try {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return await readAnswer(await fetch(`${url}/graphql`, init));
  } catch {
    return undefined;
  }
}

/** The operation with its key inside. */
export function keyed(operation: Operation, key: string = mintKey()): Operation {
  return { ...operation, extensions: { idempotencyKey: key } };
}

async function readAnswer(response: Response): Promise<GraphqlAnswer> {
  const text = await response.text();
  const body = /^[[{]/.test(text) ? JSON.parse(text) : undefined;
  return {
    status: response.status,
    headers: response.headers,
    data: /"data":(\{.*\}),"extensions"/.exec(text)?.[1],
    body,
    refusal: body?.errors?.[0].extensions.idempotency?.code,
  };
}
