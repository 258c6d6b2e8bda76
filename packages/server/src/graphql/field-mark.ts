import { getDirective } from '@graphql-tools/utils';
import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { Effect } from '../effect.ts';

/** What the schema says about a field. */
export interface FieldMark {
  readonly required?: boolean;
  readonly effect?: Effect;
  readonly answerRetentionMs?: number;
}

/**
 * The mark of a field: `@idempotent` in SDL, or, where a schema is made in code,
 * `extensions.directives.idempotent` or `extensions.idempotent`.
 */
export function markOf(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
): FieldMark | undefined {
  const written: unknown =
    getDirective(schema, field, 'idempotent')?.[0] ?? field.extensions['idempotent'];
  if (written === undefined || written === null || written === false) return undefined;
  return readMark(field.name, written === true ? {} : (Object(written) as Written));
}

function readMark(field: string, written: Written): FieldMark {
  const { required, effect, retention, key, ...others } = written;
  const [unknown] = Object.keys(others);
  // A misspelt word would otherwise leave a mutation with less protection than its author thinks.
  if (unknown !== undefined) throw new TypeError(`@idempotent on '${field}' has no \`${unknown}\``);
  if (key !== undefined && key !== null) {
    throw new TypeError(
      `@idempotent on '${field}' has a \`key\`. It belongs into operations: each intent has its own`,
    );
  }
  return {
    ...(typeof required === 'boolean' ? { required } : {}),
    ...(effect === undefined || effect === null ? {} : { effect: readEffect(effect) }),
    ...(typeof retention === 'number' ? { answerRetentionMs: retention * 1_000 } : {}),
  };
}

/** In SDL it is `ATOMIC`; in code, whatever reads better. The engine refuses any other word. */
function readEffect(effect: unknown): Effect {
  return String(effect).toLowerCase() as Effect;
}

type Written = Partial<Record<'required' | 'effect' | 'retention' | 'key', unknown>>;
