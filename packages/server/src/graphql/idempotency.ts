import type { GraphQLSchema } from 'graphql';
import { intentAround } from '../ambient/ambient-intent.ts';
import { createEngine, type Engine } from '../engine.ts';
import { FramedInput } from '../fingerprint/framed-input.ts';
import { oneOf } from '../options/check-option.ts';
import type { KeySyntax } from '../incoming/read-key.ts';
import type { Variables } from './argument-value.ts';
import { classifyFailure } from './classify-graphql-error.ts';
import type { IdempotencyOptions } from './idempotency-options.ts';
import type { Resolve } from '../reconcile/resolve.ts';
import { incomingKey, type KeySource } from './incoming-key.ts';
import {
  createMarkedOperations,
  type MarkedOperation,
  type RequestedOperation,
} from './marked-operation.ts';
import { MutationCall } from './mutation-call.ts';
import { resultCodec } from './result-codec.ts';
import { createSchemaPolicies, type SchemaPolicy } from './schema-policy.ts';
import { declaredVariables } from './wire-variables.ts';

/** An operation that a server is about to execute. */
export interface IncomingOperation<Context> extends RequestedOperation, KeySource {
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
  const markedOperationOf = createMarkedOperations(policyOf);

  return {
    engine,
    policyOf,
    keySyntax,
    callOf(incoming) {
      const marked = markedOperationOf(incoming);
      if (!marked) return undefined;
      const { operation, field, nodes, responseName } = marked;
      const { document, contextValue } = incoming;
      const variables = incoming.variableValues ?? {};
      const sent = { document, operation, variables };
      return new MutationCall({
        sent,
        field,
        responseName,
        scope: () => scope(contextValue, { field: field.name }),
        // Inside another guarded mutation, one derived from that one's; never its own.
        key:
          incomingKey(incoming, { operation, variables, nodes }, keySyntax) ??
          intentAround()?.childKey(operationOf(field.name)),
        input: fingerprintInput(marked, variables),
      });
    },
  };
}

function operationOf(field: string): string {
  return `Mutation.${field}`;
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
  { frame, operation, field }: MarkedOperation,
  variables: Variables,
): FramedInput {
  const declared = declaredVariables(operation, variables);
  return new FramedInput(frame, field.select ? field.select(declared) : declared);
}
