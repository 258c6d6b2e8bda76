import { followIntents } from '@onceward/core';
import type { GraphQLSchema } from 'graphql';
import type { Effect } from '../effect.ts';
import type { Mutation } from '../engine.ts';
import { auditSchema, type SchemaAuditOptions } from './audit-schema.ts';
import type { FieldMark } from './field-mark.ts';
import { refuseWrapped } from './field-mode/wrapped-field.ts';
import type { FieldOptions } from './idempotency-options.ts';

/** The mutation fields of a schema that run once per key, by name. */
export type SchemaPolicy = ReadonlyMap<string, MarkedField>;

export interface MarkedField {
  readonly name: string;
  readonly effect: Effect;
  readonly required: boolean;
  readonly mutation: Mutation<Effect, unknown>;
  readonly select: FieldOptions['select'];
}

export interface PolicyOptions extends SchemaAuditOptions {
  /** For fields that name no effect. */
  readonly effect: Effect | undefined;
  readonly fields: Readonly<Record<string, FieldOptions>>;
  /** Declares a mutation. Throws when what it declares could duplicate an effect. */
  readonly declare: (
    field: string,
    options: Omit<FieldOptions, 'effect' | 'select'> & { effect: Effect },
  ) => Mutation<Effect, unknown>;
}

/**
 * Reads schemas, each once. Throws for what is unsafe as soon as the schema is seen: not when the
 * first client retries.
 */
export function createSchemaPolicies(
  options: PolicyOptions,
): (schema: GraphQLSchema) => SchemaPolicy {
  const known = new WeakMap<GraphQLSchema, SchemaPolicy>();
  return (schema) => {
    const policy = known.get(schema) ?? readSchema(schema, options);
    known.set(schema, policy);
    return policy;
  };
}

function readSchema(schema: GraphQLSchema, options: PolicyOptions): SchemaPolicy {
  refuseWrapped(schema);
  const { marked } = auditSchema(schema, options);
  const unmarked = Object.keys(options.fields).find((name) => !marked.has(name));
  if (unmarked !== undefined) {
    throw new TypeError(`\`fields\` has '${unmarked}', which is no mutation with @idempotent`);
  }
  return new Map([...marked].map(([name, mark]) => [name, declareField(name, mark, options)]));
}

function declareField(name: string, mark: FieldMark, options: PolicyOptions): MarkedField {
  const { required = true, select, ...declared } = { ...mark, ...options.fields[name] };
  const effect = declared.effect ?? options.effect;
  if (!effect) {
    throw new TypeError(
      `Mutation '${name}' is marked, but nobody said what it touches: write ` +
        '@idempotent(effect: …), or set `effect` for all fields that do not',
    );
  }
  // Inside another mutation it would otherwise be one that has no key, and be executed.
  if (!required) followIntents();
  const mutation = options.declare(name, { ...declared, effect, required });
  return { name, effect, required, mutation, select };
}
