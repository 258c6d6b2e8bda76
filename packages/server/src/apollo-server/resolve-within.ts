import type { GraphQLSchema } from 'graphql';
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
      const execution = executions.get(Object(call[2]) as object);
      return execution ? execution.within((): unknown => resolve(...call)) : resolve(...call);
    };
  }
}

/** From now on, resolvers that get this context run within the execution. */
export function resolveWithin(execution: Execution, context: object): void {
  executions.set(context, execution);
}

const instrumented = new WeakSet<object>();
const executions = new WeakMap<object, Execution>();
