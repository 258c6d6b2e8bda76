import type { GraphQLField, GraphQLNamedType, GraphQLSchema } from 'graphql';
import type { Effect } from '../effect.ts';
import type { Mutation } from '../engine.ts';
import { isWrapped } from './field-mode/wrapped-field.ts';
import { type FieldMark, markOf } from './field-mark.ts';
import type { FieldOptions } from './idempotency-options.ts';

/** What a schema promises about its mutations. */
export interface SchemaPolicy {
  /** By the name of the field. */
  readonly marked: ReadonlyMap<string, MarkedField>;
  /** The mutation fields that declare nothing. */
  readonly undeclared: readonly string[];
}

/** A mutation field that runs once per key. */
export interface MarkedField {
  readonly name: string;
  readonly effect: Effect;
  readonly required: boolean;
  readonly mutation: Mutation<Effect, unknown>;
  readonly select: FieldOptions['select'];
}

export interface PolicyOptions {
  /** For fields that name no effect. */
  readonly effect: Effect | undefined;
  readonly fields: Readonly<Record<string, FieldOptions>>;
  readonly require: 'all' | undefined;
  readonly except: readonly string[];
  /** Declares a mutation. Throws when what it declares could duplicate an effect. */
  readonly declare: (
    field: string,
    options: Omit<FieldOptions, 'effect' | 'select'> & { effect: Effect },
  ) => Mutation<Effect, unknown>;
}

/**
 * Reads schemas, each once. Throws for what cannot work or was not wanted, as soon as the schema
 * is seen: not when the first client retries.
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
  const { fields, require, except } = options;
  const root = schema.getMutationType();
  const mutations = Object.values(root?.getFields() ?? {});
  const marks = new Map<string, FieldMark>();
  for (const field of mutations) {
    const mark = markOf(schema, field) ?? (Object.hasOwn(fields, field.name) ? {} : undefined);
    if (mark) marks.set(field.name, mark);
  }
  const names = mutations.map(({ name }) => name);
  const undeclared = names.filter((name) => !marks.has(name));

  refuse(
    'already runs once by itself, through `idempotentSchema`',
    mutations.filter(isWrapped).map(({ name }) => name),
  );
  refuse('is marked, but only fields of the mutation type can be', misplacedMarks(schema));
  refuse('is in `fields`, but is no mutation', without(Object.keys(fields), names));
  refuse('is in `except`, but is not a mutation without a mark', without(except, undeclared));
  if (require === 'all') {
    refuse('declares no effect: mark it with @idempotent(effect: …)', without(undeclared, except));
  }
  const marked = [...marks].map(
    ([name, mark]) => [name, declareField(name, mark, options)] as const,
  );
  return { marked: new Map(marked), undeclared };
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
  const mutation = options.declare(name, { ...declared, effect, required });
  return { name, effect, required, mutation, select };
}

/** A mark where nobody looks, such as in a type that groups mutations, would protect nothing. */
function misplacedMarks(schema: GraphQLSchema): string[] {
  const root = schema.getMutationType();
  return Object.values(schema.getTypeMap())
    .filter((type) => type !== root)
    .flatMap((type) =>
      outputFields(type)
        .filter((field) => markOf(schema, field))
        .map((field) => `${type.name}.${field.name}`),
    );
}

/** Of objects and interfaces, by shape: `isObjectType` refuses types of another copy of graphql. */
function outputFields(type: GraphQLNamedType): GraphQLField<unknown, unknown>[] {
  return 'getInterfaces' in type ? Object.values(type.getFields()) : [];
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

function refuse(why: string, names: readonly string[]): void {
  if (names.length === 0) return;
  throw new TypeError(`The schema was refused. Each of these ${why}: ${names.join(', ')}`);
}
