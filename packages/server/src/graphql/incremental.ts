import { mergeIncrementalResult } from '@graphql-tools/utils';
import { IdempotencyError } from '@onceward/core';
import { type ASTNode, BREAK, type DirectiveNode, type ExecutionResult, visit } from 'graphql';
import { argumentValue } from './argument-value.ts';
import type { SentOperation } from './root-fields.ts';

/**
 * Waits for everything that was deferred or streamed, and puts it where it belongs.
 *
 * An answer in parts can be given once. Besides, nobody may ever ask for the later parts: the
 * client left, or accepts only JSON. The mutation would be executed, and its key stay reserved.
 */
export function collected(
  result: ExecutionResult | AsyncIterable<ExecutionResult>,
): ExecutionResult | Promise<ExecutionResult> {
  return isAsyncIterable(result) ? collect(result) : result;
}

async function collect(result: AsyncIterable<ExecutionResult>): Promise<ExecutionResult> {
  let whole: IncrementalPart | undefined;
  for await (const part of result) {
    const { incremental = [], ...rest } = part as IncrementalPart;
    whole ??= rest;
    for (const incrementalResult of incremental) {
      mergeIncrementalResult({ incrementalResult, executionResult: whole });
    }
  }
  delete whole?.hasNext;
  return whole ?? {};
}

/** Refuses an operation that asks for its answer in parts, before anything is executed. */
export function refuseIncremental(sent: SentOperation): void {
  if (!asksForParts(sent)) return;
  throw new IdempotencyError(
    'IDEMPOTENCY_INPUT_INVALID',
    { problem: 'not-json' },
    {
      message:
        'An answer in parts cannot be given again, so nothing was executed. Send the mutation ' +
        'without @defer and @stream.',
    },
  );
}

function asksForParts(sent: SentOperation): boolean {
  let found = false;
  visit(sent.document as ASTNode, {
    Directive(directive: DirectiveNode) {
      found = isIncremental(directive) && argumentValue(directive, 'if', sent) !== false;
      return found ? BREAK : undefined;
    },
  });
  return found;
}

function isIncremental({ name }: DirectiveNode): boolean {
  return name.value === 'defer' || name.value === 'stream';
}

type IncrementalPart = ExecutionResult & {
  hasNext?: boolean;
  readonly incremental?: readonly ExecutionResult[];
};

function isAsyncIterable(
  result: ExecutionResult | AsyncIterable<ExecutionResult>,
): result is AsyncIterable<ExecutionResult> {
  return Symbol.asyncIterator in result;
}
