import { lazy } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTrpc } from '../../test/trpc-fixture.ts';

/** A root whose base procedure takes keys out of inputs, and guards by what they declare. */
function openAudit() {
  const fixture = openTrpc();
  const { t, once, authed } = fixture;
  const external = once.guard({ effect: 'external' });
  const unwrapping = t.procedure.use(once.unwrap).concat(authed);
  return { ...fixture, external, unwrapping };
}

describe('an audit', () => {
  test('lists the mutations with their effects, and those without a guard', async () => {
    const { t, once, authed, external, unwrapping } = openAudit();
    const router = t.router({
      pay: authed.use(external).mutation(() => 1),
      profile: {
        rename: unwrapping.use(once.guard({ effect: 'natural' })).mutation(() => 1),
        touch: authed.mutation(() => 1),
      },
      book: t.router({ seat: authed.use(once.guard({ effect: 'steps' })).mutation(() => 1) }),
      list: authed.query(() => []),
      watch: authed.subscription(async function* () {
        yield await Promise.resolve(1);
      }),
    });
    expect(await once.audit(router)).toEqual({
      mutations: [
        { path: 'pay', effect: 'external', unwraps: false },
        { path: 'profile.rename', effect: 'natural', unwraps: true },
        { path: 'profile.touch', effect: undefined, unwraps: false },
        { path: 'book.seat', effect: 'steps', unwraps: false },
      ],
      undeclared: ['profile.touch'],
    });
  });

  test('of a router without mutations is content with everything', async () => {
    const { t, once, authed } = openAudit();
    const router = t.router({ list: authed.query(() => []) });
    const options = { require: 'all', envelopes: true } as const;
    expect(await once.audit(router, options)).toEqual({ mutations: [], undeclared: [] });
  });

  test('finds a guard wherever it comes from', async () => {
    const { t, once, authed, external } = openAudit();
    const plugin = t.procedure.use(({ next }) => next());
    const router = t.router({
      concatenated: plugin
        .concat(authed)
        .use(external)
        .mutation(() => 1),
      piped: authed
        .use(t.middleware(({ next }) => next()))
        .use(external)
        .mutation(() => 1),
    });
    expect((await once.audit(router, { require: 'all' })).undeclared).toEqual([]);
  });

  test('looks into routers that are loaded late, and into those that these load', async () => {
    const { t, once, authed, external } = openAudit();
    const inner = t.router({ refund: authed.mutation(() => 1) });
    const outer = t.router({
      pay: authed.use(external).mutation(() => 1),
      inner: lazy(() => Promise.resolve(inner)),
    });
    const router = t.router({
      late: lazy(() => Promise.resolve(outer)),
      later: lazy(() => Promise.resolve({ inner })),
    });
    const { mutations, undeclared } = await once.audit(router);
    expect(mutations.map(({ path }) => path).sort()).toEqual([
      'late.inner.refund',
      'late.pay',
      'later.refund',
    ]);
    expect([...undeclared].sort()).toEqual(['late.inner.refund', 'later.refund']);
    await expect(once.audit(router, { require: 'all' })).rejects.toThrow('late.inner.refund');
  });

  test('fails with a router that cannot be loaded', async () => {
    const { t, once } = openAudit();
    const router = t.router({
      late: lazy(() => Promise.reject<ReturnType<typeof t.router>>(new Error('no such file'))),
    });
    await expect(once.audit(router)).rejects.toThrow('no such file');
  });
});

describe('`require: all`', () => {
  test('refuses a router with a mutation that has no guard, and names it', async () => {
    const { t, once, authed, external } = openAudit();
    const router = t.router({
      pay: authed.use(external).mutation(() => 1),
      touch: authed.mutation(() => 1),
      log: { out: authed.mutation(() => 1) },
    });
    const refused = once.audit(router, { require: 'all' });
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(/declares no effect.*: touch, log\.out$/);
  });

  test('lets those go that are excepted', async () => {
    const { t, once, authed, external } = openAudit();
    const router = t.router({
      pay: authed.use(external).mutation(() => 1),
      log: { out: authed.mutation(() => 1) },
    });
    const audit = await once.audit(router, { require: 'all', except: ['log.out'] });
    expect(audit.undeclared).toEqual(['log.out']);
  });

  test.each([
    ['that does not exist', 'logout'],
    ['of a query', 'list'],
    ['of a mutation that has a guard', 'pay'],
  ])('refuses an exception %s: it would hide the next one', async (_, path) => {
    const { t, once, authed, external } = openAudit();
    const router = t.router({
      pay: authed.use(external).mutation(() => 1),
      list: authed.query(() => []),
    });
    const refused = once.audit(router, { require: 'all', except: [path] });
    await expect(refused).rejects.toThrow(new RegExp(`\`except\`.*: ${path}$`));
  });
});

describe('`envelopes: true`', () => {
  const Note = z.object({ text: z.string().optional() });

  test('is content with mutations that take keys out before they are read', async () => {
    const { t, once, unwrapping, external } = openAudit();
    const router = t.router({
      save: unwrapping
        .input(Note)
        .use(external)
        .mutation(() => 1),
      touch: unwrapping.mutation(() => 1),
    });
    await expect(once.audit(router, { envelopes: true })).resolves.toMatchObject({});
  });

  test.each(['never', 'after `.input()`', 'after the guard'])(
    'refuses a mutation that takes them out %s',
    async (when) => {
      const { t, once, authed, external } = openAudit();
      const save = {
        never: () =>
          authed
            .input(Note)
            .use(external)
            .mutation(() => 1),
        'after `.input()`': () =>
          authed
            .input(Note)
            .use(once.unwrap)
            .mutation(() => 1),
        'after the guard': () =>
          authed
            .use(external)
            .use(once.unwrap as never)
            .mutation(() => 1),
      }[when];
      const router = t.router({ save: save?.() as ReturnType<typeof authed.mutation> });
      await expect(once.audit(router)).resolves.toMatchObject({});
      await expect(once.audit(router, { envelopes: true })).rejects.toThrow(
        /must have `\.use\(once\.unwrap\)` before.*: save$/,
      );
    },
  );
});

describe('a guard in the wrong place', () => {
  test('on a query is refused', async () => {
    const { t, once, authed, external } = openAudit();
    const router = t.router({ list: authed.use(external).query(() => []) });
    await expect(once.audit(router)).rejects.toThrow(/for mutations only: list$/);
  });

  test('twice is refused: one intent has one key', async () => {
    const { t, once, authed, external } = openAudit();
    const guarded = authed.use(external);
    const router = t.router({
      // @ts-expect-error: after a guard, ctx.idempotency is no longer the keys of the request
      pay: guarded.use(external).mutation(() => 1),
    });
    await expect(once.audit(router)).rejects.toThrow(/has two guards.*: pay$/);
  });
});
