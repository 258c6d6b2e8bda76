import type { OperationDefinitionNode } from 'graphql';
import type { Variables } from './argument-value.ts';

/**
 * The variables that an operation declares, as they were sent: a retry repeats those, while what
 * the server makes of them may change with its defaults. Clients differ in whether they also send
 * what is not declared, so that does not count.
 */
export function declaredVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): Variables {
  const names = variableDefinitions.map(({ variable }) => variable.name.value);
  const declared = names.filter((name) => Object.hasOwn(variables, name));
  return Object.fromEntries(declared.map((name) => [name, variables[name]]));
}
