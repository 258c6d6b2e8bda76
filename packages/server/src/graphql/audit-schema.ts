import type {
  GraphQLField,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';
import { type FieldMark, markOf } from './field-mark.ts';

export interface SchemaAuditOptions {
  /** `all`: refuse a schema that has a mutation without a mark. */
  require?: 'all' | undefined;
  /** Names of mutation fields that may be without one, such as signing out. */
  except?: readonly string[] | undefined;
}

/** What the mutations of a schema declare. */
export interface SchemaAudit {
  /** By the name of the field. */
  readonly marked: ReadonlyMap<string, FieldMark>;
  /** The names of those without a mark. */
  readonly undeclared: readonly string[];
}

/** Lists the mutations of a schema, and throws for what cannot work or was not wanted. */
export function auditSchema(
  schema: GraphQLSchema,
  { require, except = [] }: SchemaAuditOptions = {},
): SchemaAudit {
  const fields = outputFields(schema.getMutationType());
  const marked = new Map<string, FieldMark>();
  for (const field of fields) {
    const mark = markOf(schema, field);
    if (mark) marked.set(field.name, mark);
  }
  const undeclared = fields.map(({ name }) => name).filter((name) => !marked.has(name));

  refuse('is marked, but only fields of the mutation type can be', misplacedMarks(schema));
  if (marked.size > 0) {
    refuse(
      'leads to the mutation type, where nothing below the root of an operation is guarded (let ' +
        'it return another type, such as the query type, or remove it)',
      waysBack(schema),
    );
  }
  refuse('is in `except`, but is not a mutation without a mark', without(except, undeclared));
  if (require === 'all') {
    refuse('declares no effect: mark it with @idempotent(effect: …)', without(undeclared, except));
  }
  return { marked, undeclared };
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

/**
 * The ways by which an operation reaches mutations below its root, where servers execute them like
 * any other field: several at once, in a query too, and past every guard.
 */
function waysBack(schema: GraphQLSchema): string[] {
  const root = schema.getMutationType();
  const otherRoots = { query: schema.getQueryType(), subscription: schema.getSubscriptionType() };
  const asOtherRoot = Object.entries(otherRoots)
    .filter(([, type]) => type && type === root)
    .map(([operation]) => `schema.${operation}`);
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    outputFields(type)
      .filter((field) => root && mayBe(root, namedType(field.type)))
      .map((field) => `${type.name}.${field.name}`),
  );
  return [...asOtherRoot, ...fields];
}

/** Whether a value of the declared type may be one of the object type: it, or a type above it. */
function mayBe(type: GraphQLObjectType, declared: GraphQLNamedType): boolean {
  if (declared === type) return true;
  if ('getTypes' in declared) return declared.getTypes().includes(type);
  return type.getInterfaces().some((above) => above === declared);
}

function namedType(type: GraphQLOutputType): GraphQLNamedType {
  return 'ofType' in type ? namedType(type.ofType) : type;
}

/** Of objects and interfaces, by shape: `isObjectType` refuses types of another copy of graphql. */
function outputFields(type: GraphQLNamedType | null | undefined): GraphQLField<unknown, unknown>[] {
  return type && 'getInterfaces' in type ? Object.values(type.getFields()) : [];
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

function refuse(why: string, names: readonly string[]): void {
  if (names.length === 0) return;
  throw new TypeError(`The schema was refused. Each of these ${why}: ${names.join(', ')}`);
}
