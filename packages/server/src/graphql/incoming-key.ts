import {
  headerNames,
  IdempotencyError,
  type IdempotencyKey,
  type KeyConflict,
  type KeyHeaderProblem,
  parseKeyHeader,
} from '@onceward/core';
import type { FieldNode } from 'graphql';
import { type KeySyntax, readKey } from '../incoming/read-key.ts';
import { headerLines, type HeaderSource } from '../incoming/request-headers.ts';
import { argumentValue, type VariableSource } from './argument-value.ts';

/** Where a key may have come with an operation. */
export interface KeySource {
  /** Of the very request; those of a socket's handshake are about no operation. */
  readonly headers?: HeaderSource | undefined;
  /** The `extensions` of the operation. */
  readonly extensions?: unknown;
  /** How many operations came in the request. @defaultValue `1` */
  readonly count?: number | undefined;
}

/**
 * The key of a mutation: `extensions.idempotencyKey`, the header, or `@idempotent(key:)` on its
 * field. It may come in several places, but then it must be the same.
 */
export function incomingKey(
  source: KeySource,
  field: VariableSource & { readonly nodes: readonly FieldNode[] },
  syntax: KeySyntax,
): IdempotencyKey | undefined {
  const { idempotencyKey } = (source.extensions ?? {}) as { idempotencyKey?: unknown };
  let key = agreeing(undefined, idempotencyKey, syntax);
  for (const { directives = [] } of field.nodes) {
    for (const directive of directives) {
      if (directive.name.value !== 'idempotent') continue;
      key = agreeing(key, argumentValue(directive, 'key', field), syntax);
    }
  }
  const inHeader = headerKey(source, syntax);
  if (key && inHeader && inHeader !== key) throw invalidKey('disagreeing');
  return key ?? inHeader;
}

/** The key so far, if what else was sent is the same key or nothing. */
function agreeing(
  key: IdempotencyKey | undefined,
  sent: unknown,
  syntax: KeySyntax,
): IdempotencyKey | undefined {
  if (sent === undefined || sent === null) return key;
  const other = readKey(sent, syntax);
  if (key && key !== other) throw invalidKey('disagreeing');
  return other;
}

function headerKey({ headers, count = 1 }: KeySource, syntax: KeySyntax) {
  const parsed = parseKeyHeader(headerLines(headers ?? {}, keyHeader), syntax);
  if (parsed.kind === 'absent') return undefined;
  if (parsed.kind === 'invalid') throw invalidKey(parsed.problem);
  // One key cannot name several intents, and nobody can say which of them was meant.
  if (count > 1) throw invalidKey('one-key-for-a-batch');
  return parsed.key;
}

/** In lower case: the `Headers` of Yoga look for a name as it is written, and then in lower case. */
const keyHeader = headerNames.key.toLowerCase();

function invalidKey(problem: KeyHeaderProblem | KeyConflict): IdempotencyError {
  return new IdempotencyError('IDEMPOTENCY_KEY_INVALID', { problem });
}
