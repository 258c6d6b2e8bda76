import type { GraphQLSchema } from 'graphql';
import { notesOnObjects } from '../notes-on-objects.ts';
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
    instrumented.add(field);
    field.resolve = (...call) => {
      const guarded = executions.get(Object(call[2]) as object);
      if (!guarded) return resolve(...call);
      guarded.resolving();
      return guarded.execution.within((): unknown => resolve(...call));
    };
  }
}

/** An execution whose resolvers are to run within it. */
interface GuardedExecution {
  readonly execution: Execution;
  /** Called before each of them, if it {@link isInstrumented}. */
  readonly resolving: () => void;
}

/** From now on, resolvers that get this context run within the execution. */
export function resolveWithin(guarded: GuardedExecution, context: object): void {
  executions.set(context, guarded);
}

/** Whether a mutation has a resolver of its own. Others are resolved by the server, or elsewhere. */
export function isInstrumented(schema: GraphQLSchema, field: string): boolean {
  const { [field]: declared } = schema.getMutationType()?.getFields() ?? {};
  return declared !== undefined && instrumented.has(declared);
}

const instrumented = new WeakSet<object>();
const executions = notesOnObjects<GuardedExecution>();
