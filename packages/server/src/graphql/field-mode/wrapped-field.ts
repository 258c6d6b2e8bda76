import type { GraphQLSchema } from 'graphql';

/** Where a field says that its resolver runs once by itself. It survives other transforms. */
const extension = 'onceward';

interface Extended {
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The extensions of a field whose resolver is wrapped. */
export function wrappedExtensions({ extensions }: Extended): Record<string, unknown> {
  return { ...extensions, [extension]: { mode: 'field' } };
}

/**
 * Refuses a schema in field mode. Under a second guard every mutation would have two records, and
 * which of them is asked first would decide what a retry gets.
 */
export function refuseWrapped(schema: GraphQLSchema): void {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  const wrapped = fields.filter(isWrapped).map(({ name }) => name);
  if (wrapped.length === 0) return;
  throw new TypeError(
    'The schema was refused. Each of these already runs once by itself, through ' +
      `\`idempotentSchema\`: ${wrapped.join(', ')}`,
  );
}

function isWrapped({ extensions }: Extended): boolean {
  const { mode } = Object(extensions?.[extension]) as { mode?: unknown };
  return mode === 'field';
}
