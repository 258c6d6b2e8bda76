import { type GraphQLScalarType, isSpecifiedScalarType, valueFromASTUntyped } from 'graphql';

/**
 * A scalar that remembers what its values were before they were parsed.
 *
 * Only of objects, such as a `Date` or an instance of a class: all others tell by themselves what
 * they are. How a scalar writes its objects is no help, for it may round or hide what was sent.
 */
export function rememberingScalar(type: GraphQLScalarType): GraphQLScalarType {
  if (isSpecifiedScalarType(type)) return type;
  const config = type.toConfig();
  // Of the schema's own copy of graphql, which refuses types of another one.
  const Scalar = type.constructor as typeof GraphQLScalarType;
  return new Scalar({
    ...config,
    parseValue: (sent) => remember(config.parseValue(sent), () => sent),
    parseLiteral: (node, variables) =>
      remember(config.parseLiteral(node, variables), () => valueFromASTUntyped(node, variables)),
  });
}

/** What was sent for an object that a scalar parsed; `undefined` for one that nobody sent. */
export function sentFor(parsed: object): { readonly value: unknown } | undefined {
  return sent.get(parsed);
}

function remember(parsed: unknown, valueSent: () => unknown): unknown {
  const isObject = typeof parsed === 'object' && parsed !== null;
  if (isObject) sent.set(parsed, { value: valueSent() });
  return parsed;
}

const sent = new WeakMap<object, { readonly value: unknown }>();
