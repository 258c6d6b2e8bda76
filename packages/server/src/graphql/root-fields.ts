import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { argumentValue, type Variables } from './argument-value.ts';

/** An operation of a document, with the variables it was sent with. */
export interface SentOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** As they came over the wire. */
  readonly variables: Variables;
}

export interface RootFields {
  /** By the name under which each is answered. */
  readonly fields: ReadonlyMap<string, readonly FieldNode[]>;
  /** Whether variables may decide which they are. */
  readonly conditional: boolean;
}

/**
 * The root fields that will be executed, by the name under which each is answered.
 *
 * Follows fragments, and leaves out what `@skip` and `@include` leave out. What is deferred is
 * executed too. Several nodes of one name are one field, asked for more than once.
 */
export function rootFields(sent: SentOperation): RootFields {
  const fields = new Map<string, FieldNode[]>();
  const seen = new Set<FragmentDefinitionNode>();
  let conditional = false;

  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      conditional ||= (selection.directives ?? []).length > 0;
      if (!isIncluded(selection, sent)) continue;
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        fields.set(name, [...(fields.get(name) ?? []), selection]);
        continue;
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        visit(selection.selectionSet);
        continue;
      }
      const fragment = fragmentNamed(selection.name.value, sent.document);
      if (!fragment || seen.has(fragment)) continue;
      seen.add(fragment);
      visit(fragment.selectionSet);
    }
  };
  visit(sent.operation.selectionSet);
  return { fields, conditional };
}

function isIncluded(selection: SelectionNode, sent: SentOperation): boolean {
  return (selection.directives ?? []).every((directive) => {
    switch (directive.name.value) {
      case 'skip':
        return argumentValue(directive, 'if', sent) !== true;
      case 'include':
        return argumentValue(directive, 'if', sent) !== false;
      default:
        return true;
    }
  });
}

function fragmentNamed(name: string, { definitions }: DocumentNode) {
  return definitions.find(
    (definition): definition is FragmentDefinitionNode =>
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
  );
}
