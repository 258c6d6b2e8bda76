import {
  type DirectiveNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;

/** Where the value of a variable comes from. */
export interface VariableSource {
  readonly operation: OperationDefinitionNode;
  readonly variables: Variables;
}

/** What an operation passes to an argument of a directive: a literal, or the value of a variable. */
export function argumentValue(
  directive: DirectiveNode,
  argument: string,
  source: VariableSource,
): unknown {
  const node = directive.arguments?.find(({ name }) => name.value === argument);
  return node && valueOf(node.value, source);
}

function valueOf(node: ValueNode, { operation, variables }: VariableSource): unknown {
  if (node.kind !== Kind.VARIABLE) return valueFromASTUntyped(node);
  const name = node.name.value;
  if (Object.hasOwn(variables, name)) return variables[name];
  const definition = operation.variableDefinitions?.find(
    ({ variable }) => variable.name.value === name,
  );
  return definition?.defaultValue && valueFromASTUntyped(definition.defaultValue);
}
