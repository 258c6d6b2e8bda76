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
  const isDeclared = (name: string) =>
    variableDefinitions.some(({ variable }) => variable.name.value === name);
  const names = Object.keys(variables);
  if (names.every(isDeclared)) return variables;
  return Object.fromEntries(names.filter(isDeclared).map((name) => [name, variables[name]]));
}
