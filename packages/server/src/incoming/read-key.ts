import {
  IdempotencyError,
  type IdempotencyKey,
  type KeyConflict,
  type KeyFormat,
  type KeyHeaderProblem,
  type KeyHeaderSyntax,
  parseKey,
} from '@onceward/core';

/** How keys are written in this application. */
export interface KeySyntax {
  readonly syntax: KeyHeaderSyntax;
  readonly format: KeyFormat;
}

/** Checks a key that was not sent as `Idempotency-Key`. */
export function readKey(value: unknown, { format }: KeySyntax): IdempotencyKey {
  if (typeof value !== 'string') throw invalidKey('malformed');
  const parsed = parseKey(value, format);
  if (parsed.kind === 'invalid') throw invalidKey(parsed.problem);
  return parsed.key;
}

export function invalidKey(problem: KeyHeaderProblem | KeyConflict): IdempotencyError {
  return new IdempotencyError('IDEMPOTENCY_KEY_INVALID', { problem });
}
