import { type DirectiveNode, Kind, parse, visit } from 'graphql';
import { keysIn } from '../faults/keys-in-headers.ts';

/** Every key that a body names: in `extensions`, or on a field, for one operation or a batch. */
export function keysInBody(body: string): string[] {
  try {
    const sent = [JSON.parse(body)].flat() as (SentOperation | null)[];
    return keysIn(sent.flatMap((operation) => (operation ? keysOf(operation) : [])));
  } catch {
    // Neither JSON nor GraphQL: it will be refused, and names nothing.
    return [];
  }
}

interface SentOperation {
  readonly query?: string;
  readonly variables?: Variables | null;
  readonly extensions?: { readonly idempotencyKey?: unknown } | null;
}

type Variables = Readonly<Record<string, unknown>>;

function keysOf({ query, variables, extensions }: SentOperation): string[] {
  const keys = [extensions?.idempotencyKey];
  if (query) {
    visit(parse(query), {
      Directive(directive) {
        if (directive.name.value === 'idempotent') keys.push(keyOf(directive, variables ?? {}));
      },
    });
  }
  return keys.filter((key) => typeof key === 'string');
}

function keyOf({ arguments: sent = [] }: DirectiveNode, variables: Variables): unknown {
  const value = sent.find(({ name }) => name.value === 'key')?.value;
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value];
  return value?.kind === Kind.STRING ? value.value : undefined;
}
