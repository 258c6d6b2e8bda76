import { IdempotencyError } from '@onceward/core';
import {
  type DocumentNode,
  type FieldNode,
  getOperationAST,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import { intentAround } from '../ambient/ambient-intent.ts';
import { createEngine, type Engine } from '../engine.ts';
import { oneOf } from '../options/check-option.ts';
import type { KeySyntax } from '../incoming/read-key.ts';
import type { Variables } from './argument-value.ts';
import { classifyFailure } from './classify-graphql-error.ts';
import type { IdempotencyOptions } from './idempotency-options.ts';
import type { Resolve } from '../reconcile/resolve.ts';
import { incomingKey, type KeySource } from './incoming-key.ts';
import { MutationCall } from './mutation-call.ts';
import { operationText } from './operation-text.ts';
import { resultCodec } from './result-codec.ts';
import { rootFields, type SentOperation } from './root-fields.ts';
import { createSchemaPolicies, type MarkedField, type SchemaPolicy } from './schema-policy.ts';
import { declaredVariables } from './wire-variables.ts';

/** An operation that a server is about to execute. */
export interface IncomingOperation<Context> extends KeySource {
  readonly schema: GraphQLSchema;
  /** As it was validated, before any plugin added to it. */
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  /** As they came over the wire. */
  readonly variableValues?: Variables | null | undefined;
  readonly contextValue: Context;
}

/** What all adapters share: which mutations are marked, and how one is run once. */
export interface Idempotency<Context, Transaction> {
  /** Reads a schema, once. Throws for marks that are unsafe, misplaced or missing. */
  policyOf(schema: GraphQLSchema): SchemaPolicy;
  /**
   * The call of a marked mutation, or `undefined` when there is none to run: execute as ever.
   *
   * @throws IdempotencyError when its key is not one key, or when it has several marked fields
   */
  callOf(operation: IncomingOperation<Context>): MutationCall | undefined;
  /** How keys are written in this application. */
  readonly keySyntax: KeySyntax;
  /** For what is no operation: start-up checks, maintenance, unknown outcomes. */
  readonly engine: Engine<Transaction>;
}

export function createIdempotency<Context, Transaction = never>(
  options: IdempotencyOptions<Context, Transaction>,
): Idempotency<Context, Transaction> {
  const { scope, effect, fields, require, except, classifyError, keyHeader, ...engineOptions } =
    options;
  if (typeof scope !== 'function') {
    throw new TypeError('Expected `scope` to be a function that tells who calls');
  }
  const engine = createEngine(engineOptions);
  const keySyntax = {
    syntax: oneOf('keyHeader', keyHeader ?? 'lenient', ['strict', 'lenient']),
    format: engineOptions.keyFormat ?? 'uuid-v7',
  } as const;
  const profile = engineOptions.profile ?? 'ietf';
  const policyOf = createSchemaPolicies({
    effect,
    fields: fields ?? {},
    require: require && oneOf<'all'>('require', require, ['all']),
    except,
    declare(field, { required, classifyError: ofField, resolve, ...declared }) {
      const own = [ofField, classifyError].filter((each) => each !== undefined);
      const declaring: Engine<unknown> = engine;
      return declaring.mutation({
        ...declared,
        operation: operationOf(field),
        key: required === false ? 'optional' : 'required',
        codec: resultCodec,
        ...(resolve ? { resolve: withoutValue(resolve) } : {}),
        classifyError: (failure) =>
          classifyFailure(failure, { effect: declared.effect, profile, own }),
      });
    },
  });

  return {
    engine,
    policyOf,
    keySyntax,
    callOf(incoming) {
      const { schema, document, operationName, contextValue } = incoming;
      const operation = getOperationAST(document, operationName);
      if (operation?.operation !== OperationTypeNode.MUTATION) return undefined;
      const sent = { document, operation, variables: incoming.variableValues ?? {} };
      const called = markedFields(sent, policyOf(schema));
      if (called.length > 1) throw severalFields(called);
      const [marked] = called;
      if (!marked) return undefined;

      const { field, nodes, responseName } = marked;
      return new MutationCall({
        sent,
        field,
        responseName,
        scope: () => scope(contextValue, { field: field.name }),
        // Inside another guarded mutation, one derived from that one's; never its own.
        key:
          incomingKey(incoming, { ...sent, nodes }, keySyntax) ??
          intentAround()?.childKey(operationOf(field.name)),
        input: fingerprintInput(sent, field.select),
      });
    },
  };
}

function operationOf(field: string): string {
  return `Mutation.${field}`;
}

function markedFields(sent: SentOperation, marked: SchemaPolicy): CalledField[] {
  const called: CalledField[] = [];
  for (const [responseName, nodes] of rootFields(sent)) {
    const field = marked.get(nodes[0]?.name.value ?? '');
    if (field) called.push({ field, nodes, responseName });
  }
  return called;
}

interface CalledField {
  readonly field: MarkedField;
  readonly nodes: readonly FieldNode[];
  /** The name under which it is answered. */
  readonly responseName: string;
}

/**
 * What a client gets is what it asked for of a payment, under the name it gave it. Nobody who looks
 * into an unknown outcome knows that, so what is settled has no answer: its clients ask for the
 * payment itself.
 */
function withoutValue(resolve: Resolve): Resolve {
  return async (unknown) => {
    const finding = await resolve(unknown);
    if (finding.kind !== 'executed') return finding;
    return { kind: finding.kind, audit: finding.audit };
  };
}

/** Only what is executed of the document, and only what is declared of the variables. */
function fingerprintInput(
  { document, operation, variables }: SentOperation,
  select: ((variables: Variables) => unknown) | undefined,
) {
  const name = operation.name?.value;
  const declared = declaredVariables(operation, variables);
  return {
    document: operationText(document, name),
    operationName: name,
    variables: select ? select(declared) : declared,
  };
}

/**
 * With a key or without: of two mutations, one may fail. A retry under the same key would get that
 * failure for ever, and one under a new key would repeat the other.
 */
function severalFields(called: readonly { readonly responseName: string }[]): IdempotencyError {
  return new IdempotencyError('IDEMPOTENCY_MULTIPLE_FIELDS', {
    fields: called.map(({ responseName }) => responseName),
  });
}
