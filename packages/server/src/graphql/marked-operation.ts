import { IdempotencyError } from '@onceward/core';
import {
  type DocumentNode,
  type FieldNode,
  getOperationAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { CanonicalFrame } from '../fingerprint/framed-input.ts';
import type { Variables } from './argument-value.ts';
import { operationFrame } from './operation-frame.ts';
import { type RootFields, rootFields, type SentOperation } from './root-fields.ts';
import type { MarkedField, SchemaPolicy } from './schema-policy.ts';

/** Which operation of a document is to be executed, and with which variables. */
export interface RequestedOperation {
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
  /** What of it is in its fingerprint besides its variables. */
  readonly frame: CanonicalFrame;
}

/**
 * Finds the marked field that an operation will execute; `undefined` for one that has none.
 *
 * Servers keep parsed documents, so what was found is kept with the document, unless it depends on
 * variables.
 */
export function createMarkedOperations(
  policyOf: (schema: GraphQLSchema) => SchemaPolicy,
): (named: RequestedOperation) => MarkedOperation | undefined {
  const found = new WeakMap<DocumentNode, Found>();
  return (named) => {
    const { schema, document, operationName } = named;
    const last = found.get(document);
    if (last && last.schema === schema && last.operationName === operationName) return last.marked;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.MUTATION) {
      found.set(document, { schema, operationName, marked: undefined });
      return undefined;
    }
    const sent = { document, operation, variables: named.variableValues ?? {} };
    const { fields, conditional } = rootFields(sent);
    const marked = markedOperation(sent, fields, policyOf(schema));
    if (!conditional) found.set(document, { schema, operationName, marked });
    return marked;
  };
}

interface Found {
  readonly schema: GraphQLSchema;
  readonly operationName: string | null | undefined;
  readonly marked: MarkedOperation | undefined;
}

function markedOperation(
  { document, operation }: SentOperation,
  fields: RootFields['fields'],
  policy: SchemaPolicy,
): MarkedOperation | undefined {
  const called: Omit<MarkedOperation, 'frame'>[] = [];
  for (const [responseName, nodes] of fields) {
    const field = policy.get(nodes[0]?.name.value ?? '');
    if (field) called.push({ operation, field, nodes, responseName });
  }
  if (called.length > 1) throw severalFields(called);
  const [only] = called;
  return only && { ...only, frame: operationFrame(document, operation.name?.value) };
}

/**
 * With a key or without: of two mutations, one may fail. A retry under the same key would get that
 * failure for ever, and one under a new key would repeat the other.
 */
function severalFields(called: readonly Pick<MarkedOperation, 'responseName'>[]): IdempotencyError {
  return new IdempotencyError('IDEMPOTENCY_MULTIPLE_FIELDS', {
    fields: called.map(({ responseName }) => responseName),
  });
}
