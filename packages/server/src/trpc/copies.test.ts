import { TRPCError, initTRPC } from '@trpc/server';
import { expect, test, vi } from 'vitest';
import { serve } from '../../test/trpc-fixture.ts';

test('two copies of this package in one process understand each other', async () => {
  const own = await import('./index.ts');
  vi.resetModules();
  const other = await import('./index.ts');
  const { memoryStore } = await import('../index.ts');
  const { mintKey } = await import('@onceward/core');
  expect(other.incomingKeys).not.toBe(own.incomingKeys);

  type Context = { idempotency: ReturnType<typeof own.incomingKeys> };
  const t = initTRPC.context<Context>().create({ errorFormatter: own.idempotencyErrorFormatter() });
  const options = { store: memoryStore(), acceptLoss: true, scope: () => 'alice' };
  // The one reads keys and formats errors, the other guards.
  const once = other.createIdempotency(t, options);
  const guarded = t.procedure.use(once.unwrap).use(once.guard({ effect: 'external' }));
  const router = t.router({
    pay: guarded.mutation(() => 'paid'),
    refuse: guarded.mutation(() => {
      throw new TRPCError({ code: 'FORBIDDEN', message: `At ${performance.now()}` });
    }),
  });
  const send = serve(router, {
    createContext: (source) => ({ idempotency: own.incomingKeys(source) }),
    responseMeta: own.idempotencyResponseMeta(),
  });

  for (const path of ['pay', 'refuse']) {
    const key = mintKey();
    const first = await send(path, { key });
    const again = await send(path, { key });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await send(path, { key, input: 7 })).status).toBe(422);
  }
  const missing = await send('pay');
  expect(missing.json.error.data.idempotency.code).toBe('IDEMPOTENCY_KEY_MISSING');
  const first = own.createIdempotency(t, options);
  expect((await first.audit(router)).mutations).toMatchObject([
    { path: 'pay', effect: 'external', unwraps: true },
    { path: 'refuse', effect: 'external', unwraps: true },
  ]);
});
