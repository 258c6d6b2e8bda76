import type { Effect } from '../effect.ts';

/** What a middleware of ours says about the procedures that use it, for the audit. */
export type Declaration =
  { readonly kind: 'guard'; readonly effect: Effect } | { readonly kind: 'unwrap' };

export function declareGuard<Middleware extends object>(
  middleware: Middleware,
  effect: Effect,
): Middleware {
  return declare(middleware, { kind: 'guard', effect });
}

export function declareUnwrap<Middleware extends object>(middleware: Middleware): Middleware {
  return declare(middleware, { kind: 'unwrap' });
}

export function declarationOf(middleware: object): Declaration | undefined {
  return (middleware as { [slot]?: Declaration })[slot];
}

function declare<Middleware extends object>(
  middleware: Middleware,
  declaration: Declaration,
): Middleware {
  return Object.defineProperty(middleware, slot, { value: declaration });
}

/** Shared by two copies of this package: one may guard while the other audits. */
const slot: unique symbol = Symbol.for('@onceward/server/trpc.declaration') as never;
