import { IdempotencyError } from '@onceward/core';
import {
  type DocumentNode,
  type FieldNode,
  getOperationAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { Variables } from './argument-value.ts';
import { isUnconditional, rootFields, type SentOperation } from './root-fields.ts';
import type { MarkedField, SchemaPolicy } from './schema-policy.ts';

/** An operation of a document, as it came. */
export interface NamedOperation {
  readonly schema: GraphQLSchema;
  /** As it was validated, before any plugin added to it. */
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  /** As they came over the wire. */
  readonly variableValues?: Variables | null | undefined;
}

/** An operation with one marked field. */
export interface MarkedOperation {
  readonly operation: OperationDefinitionNode;
  readonly field: MarkedField;
  readonly nodes: readonly FieldNode[];
  /** The name under which the field is answered. */
  readonly responseName: string;
}

/**
 * Finds the marked field that an operation will execute; `undefined` for one that has none.
 *
 * Parsers hand out the same node for the same text, so what was found is kept with the node, unless
 * it depends on variables.
 */
export function createMarkedOperations(
  policyOf: (schema: GraphQLSchema) => SchemaPolicy,
): (named: NamedOperation) => MarkedOperation | undefined {
  const known = new WeakMap<DocumentNode, Known>();
  return (named) => {
    const { schema, document, operationName } = named;
    const last = known.get(document);
    if (last && last.schema === schema && last.operationName === operationName) return last.marked;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.MUTATION) {
      known.set(document, { schema, operationName, marked: undefined });
      return undefined;
    }
    const sent = { document, operation, variables: named.variableValues ?? {} };
    const marked = markedOperation(sent, policyOf(schema));
    if (isUnconditional(sent)) known.set(document, { schema, operationName, marked });
    return marked;
  };
}

interface Known {
  readonly schema: GraphQLSchema;
  readonly operationName: string | null | undefined;
  readonly marked: MarkedOperation | undefined;
}

function markedOperation(sent: SentOperation, policy: SchemaPolicy): MarkedOperation | undefined {
  const called: MarkedOperation[] = [];
  for (const [responseName, nodes] of rootFields(sent)) {
    const field = policy.get(nodes[0]?.name.value ?? '');
    if (field) called.push({ operation: sent.operation, field, nodes, responseName });
  }
  if (called.length > 1) throw severalFields(called);
  return called[0];
}

/**
 * With a key or without: of two mutations, one may fail. A retry under the same key would get that
 * failure for ever, and one under a new key would repeat the other.
 */
function severalFields(called: readonly MarkedOperation[]): IdempotencyError {
  return new IdempotencyError('IDEMPOTENCY_MULTIPLE_FIELDS', {
    fields: called.map(({ responseName }) => responseName),
  });
}
