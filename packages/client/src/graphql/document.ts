/** What of a parsed document is read: that of any GraphQL parser, or none for a persisted one. */
export interface ParsedDocument {
  readonly definitions?: readonly object[];
}

/** Whether a document has a mutation to execute. */
export function isMutation(document: ParsedDocument): boolean {
  return operationIn(document)?.operation === 'mutation';
}

/** What a mutation is called in events and for derived keys: its name, else its first field's. */
export function operationNameOf(document: ParsedDocument): string {
  const { name, selectionSet } = operationIn(document) ?? {};
  return name?.value ?? selectionSet?.selections?.[0]?.name?.value ?? 'mutation';
}

/** Whether the operation takes a variable of this name, as in `mutation ($name: String!)`. */
export function declaresVariable(document: ParsedDocument, name: string): boolean {
  const variables = operationIn(document)?.variableDefinitions ?? [];
  return variables.some(({ variable }) => variable.name.value === name);
}

function operationIn({ definitions = [] }: ParsedDocument): OperationDefinition | undefined {
  return (definitions as OperationDefinition[]).find(({ operation }) => operation !== undefined);
}

interface OperationDefinition {
  readonly operation?: string;
  readonly name?: { readonly value: string };
  readonly variableDefinitions?: readonly { variable: { name: { value: string } } }[];
  readonly selectionSet?: { readonly selections?: readonly { name?: { value: string } }[] };
}
