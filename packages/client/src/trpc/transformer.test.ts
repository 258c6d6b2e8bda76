import { createTRPCClient, httpLink } from '@trpc/client';
import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import superjson from 'superjson';
import { expect, test } from 'vitest';
import { idempotencyHeaders } from './idempotency-headers.ts';
import { idempotencyLink } from './idempotency-link.ts';

test.each(['header', 'input'] as const)(
  'with the key in the %s, a transformer gets what the caller gave, on every attempt',
  async (transport) => {
    const arrived: unknown[] = [];
    const t = initTRPC.create({ transformer: superjson });
    const router = t.router({
      pay: t.procedure.input((input) => input).mutation(({ input }) => void arrived.push(input)),
    });
    let requests = 0;
    const client = createTRPCClient<typeof router>({
      links: [
        idempotencyLink({ transport, baseDelayMs: 1, key: () => 'a-key-of-the-caller' }),
        httpLink({
          url: 'http://localhost',
          transformer: superjson,
          headers: idempotencyHeaders(),
          async fetch(url, init) {
            const req = new Request(url, init as RequestInit);
            const response = await fetchRequestHandler({ endpoint: '', router, req });
            if (requests++ === 0) throw new TypeError('the answer is lost');
            return response;
          },
        }),
      ],
    });

    const tea = { name: 'tea', at: new Date(0) };
    const input: Record<string, unknown> = {
      first: tea,
      again: tea,
      tags: new Set(['hot']),
      id: 7n,
    };
    input['self'] = input;
    await client.pay.mutate(input);
    const expected = transport === 'input' ? { $idempotency: 'a-key-of-the-caller', input } : input;
    expect(arrived).toEqual([expected, expected]);
  },
);
