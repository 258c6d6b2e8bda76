import type { Effect } from '../effect.ts';
import type { Mutation } from '../engine.ts';
import { type AuditedRouter, guardsOf, proceduresOf } from './procedures-of.ts';

/** The guarded mutations of a router by their paths, as the engine knows them. */
export async function mutationsOf(
  router: AuditedRouter,
): Promise<Map<string, Mutation<Effect, unknown>>> {
  const procedures = await proceduresOf(router);
  return new Map(
    procedures.flatMap(([path, procedure]) =>
      guardsOf(procedure).map(({ mutationAt }) => [path, mutationAt(path)] as const),
    ),
  );
}
