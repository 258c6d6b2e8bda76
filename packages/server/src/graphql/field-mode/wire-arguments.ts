import type { FieldNode, GraphQLArgument, GraphQLInputField, GraphQLInputType } from 'graphql';
import { sentFor } from './sent-scalars.ts';

/**
 * The arguments of a field as they go over the wire, as far as a resolver can know.
 *
 * A resolver gets what scalars and enums parsed, such as a `Date`; what was sent for it is
 * remembered. Arguments that the operation does not name are left out: they hold the defaults of
 * this version of the server, and a retry may meet the next one.
 */
export function wireArguments(
  args: Readonly<Record<string, unknown>>,
  declared: readonly GraphQLArgument[],
  [node]: readonly FieldNode[],
): Record<string, unknown> {
  const named = new Set(node?.arguments?.map(({ name }) => name.value));
  return wireMembers(
    args,
    declared.filter(({ name }) => named.has(name)),
  );
}

function wireMembers(
  value: object,
  declared: readonly (GraphQLArgument | GraphQLInputField)[],
): Record<string, unknown> {
  const given = declared.filter(({ name }) => Object.hasOwn(value, name));
  const members = given.map(({ name, type }): [string, unknown] => [
    name,
    wireValue((value as Record<string, unknown>)[name], type),
  ]);
  return Object.fromEntries(members);
}

/** By shape: graphql refuses to look at types of another copy of itself. */
function wireValue(value: unknown, type: GraphQLInputType): unknown {
  if (value === undefined || value === null) return value;
  if ('ofType' in type) {
    const isList = Array.isArray(value) && type[Symbol.toStringTag] === 'GraphQLList';
    return isList
      ? value.map((element) => wireValue(element, type.ofType))
      : wireValue(value, type.ofType);
  }
  if ('getFields' in type) return wireMembers(value, Object.values(type.getFields()));
  if ('getValues' in type) return type.serialize(value);
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (typeof value !== 'object') return value;
  // Objects that nobody sent count as they are, and if they cannot be told apart, they are refused.
  const sent = sentFor(value);
  return sent ? sent.value : value;
}
