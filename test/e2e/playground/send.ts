import { mintKey } from '@onceward/core';
import type { Effects } from '../../../apps/playground/src/shop/effects.ts';
import type { Playground } from './start-playground.ts';

/** A mutation as a stranger would send it, without any code of ours. */
export interface Delivery {
  readonly user?: string | undefined;
  /** The header as it is sent. @defaultValue a new key, in quotes */
  readonly key?: string | undefined;
  readonly fault?: string | undefined;
}

/** What came back; `undefined` when the connection ended without an answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The result, without the notes of superjson. */
  readonly result: Record<string, unknown> | undefined;
  /** Why the kit refused it. */
  readonly refusal: string | undefined;
}

export async function send(
  { url }: Playground,
  [path, input]: readonly [path: string, input: object],
  { user = 'alice', key, fault }: Delivery = {},
): Promise<Answer | undefined> {
  const headers = {
    'content-type': 'application/json',
    ...(user && { authorization: `Bearer ${user}` }),
    ...(key !== '' && { 'idempotency-key': key ?? `"${mintKey()}"` }),
    ...(fault && { 'x-fault': fault }),
  };
  try {
    const response = await fetch(`${url}/trpc/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ json: input }),
    });
    return await readAnswer(response);
  } catch {
    return undefined;
  }
}

/** Sends an intent twice at a time: one delivery is held in the handler, the other refused. */
export async function sendWhileHeld(
  playground: Playground,
  mutation: Parameters<typeof send>[1],
  delivery: Delivery & { readonly holdMs: number },
): Promise<{ refused: Answer | undefined; held: Promise<Answer | undefined> }> {
  const fault = `hold=${delivery.holdMs}`;
  const deliveries = [1, 2].map(() => send(playground, mutation, { ...delivery, fault }));
  const refused = await Promise.race(deliveries);
  const held = Promise.all(deliveries).then((all) => all.find((answer) => answer !== refused));
  return { refused, held };
}

export async function effectsOf({ url }: Playground, user = 'alice'): Promise<Effects> {
  const headers = { authorization: `Bearer ${user}` };
  const { result } = await readAnswer(await fetch(`${url}/trpc/effects`, { headers }));
  return result as unknown as Effects;
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text.startsWith('{') ? JSON.parse(text) : {};
  return {
    status: response.status,
    headers: response.headers,
    text,
    result: body.result?.data.json,
    refusal: body.error?.json.data.idempotency?.code,
  };
}
