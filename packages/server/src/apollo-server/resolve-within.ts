import type { GraphQLSchema } from 'graphql';
import { NotesOnObjects } from '../notes-on-objects.ts';
import type { Execution } from '../graphql/execution.ts';

/**
 * Runs the resolvers of mutations as the current intent of their operation, so that what they call
 * carries a key derived from it.
 *
 * Apollo Server lets nobody wrap an execution. It instruments resolvers in place, and so do we:
 * once per field, and a request that has no execution notices nothing.
 */
export function instrumentMutations(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (!resolve || instrumented.has(field)) continue;
    const calls = { byStrangers: 0 };
    instrumented.set(field, calls);
    field.resolve = (...call) => {
      const guarded = executions.get(Object(call[2]) as object);
      if (!guarded) {
        calls.byStrangers += 1;
        return resolve(...call);
      }
      guarded.resolving();
      return guarded.execution.within((): unknown => resolve(...call));
    };
  }
}

/** An execution whose resolvers are to run within it. */
interface GuardedExecution {
  readonly execution: Execution;
  /** Called before each of them. */
  readonly resolving: () => void;
}

/** From now on, resolvers that get this context run within the execution. */
export function resolveWithin(guarded: GuardedExecution, context: object): void {
  executions.set(context, guarded);
}

/**
 * How often the resolver of a mutation was called with a context that nobody knows: for another
 * request, or for a guarded one whose context somebody copied. `undefined` for a mutation without a
 * resolver of its own, which is resolved by the server, or elsewhere.
 */
export function callsByStrangers(schema: GraphQLSchema, field: string): number | undefined {
  const { [field]: declared } = schema.getMutationType()?.getFields() ?? {};
  return declared && instrumented.get(declared)?.byStrangers;
}

const instrumented = new WeakMap<object, { byStrangers: number }>();
const executions = new NotesOnObjects<GuardedExecution>();
