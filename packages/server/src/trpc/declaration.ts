import type { Effect } from '../effect.ts';
import type { Mutation } from '../engine.ts';

/** What a middleware of ours says about the procedures that use it, for the audit. */
export type Declaration = GuardDeclaration | { readonly kind: 'unwrap' };

export interface GuardDeclaration {
  readonly kind: 'guard';
  readonly effect: Effect;
  /** What is guarded at this path of a router. */
  readonly mutationAt: (path: string) => Mutation<Effect, unknown>;
}

export function declareGuard<Middleware extends object>(
  middleware: Middleware,
  guard: Omit<GuardDeclaration, 'kind'>,
): Middleware {
  return declare(middleware, { kind: 'guard', ...guard });
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
