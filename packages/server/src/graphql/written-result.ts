import type { ExecutionResult } from 'graphql';
import type { AnswerFacts } from './answer-facts.ts';

/**
 * A result whose data has been written already, for servers that let a result write itself.
 *
 * Only for where nobody comes after: what changes inside of `data` is not in its text. Whatever else
 * is added is written as ever, also in a copy.
 */
export interface WrittenResult extends ExecutionResult {
  readonly data: NonNullable<ExecutionResult['data']>;
  readonly extensions: Record<string, unknown>;
  /** As Yoga and Envelop call it: with what is to be sent of the result, and without `this`. */
  readonly stringify: (sent: ExecutionResult) => string;
}

/**
 * `text` is that of a result with these data and nothing else.
 *
 * A plain object: as one of a class with private members it took Yoga two microseconds more.
 */
export function writtenResult(
  text: string,
  data: NonNullable<ExecutionResult['data']>,
  facts: AnswerFacts,
): WrittenResult {
  return {
    data,
    extensions: { idempotency: facts.inBody, http: facts.http },
    stringify(sent) {
      if (sent.data !== data) return JSON.stringify(sent);
      if (hasOnlyFacts(sent, facts)) return join(text, `${knownRest}${facts.text}}}`);
      const others = JSON.stringify({ ...sent, data: undefined });
      return others === '{}' ? text : join(text, others.slice(1));
    },
  };
}

const knownRest = '"extensions":{"idempotency":';

/** Besides data, and what writes them. */
function hasOnlyFacts(sent: ExecutionResult, { inBody }: AnswerFacts): boolean {
  const { extensions } = sent;
  if (extensions?.['idempotency'] !== inBody || Object.keys(extensions).length > 1) return false;
  return Object.keys(sent).length === ('stringify' in sent ? 3 : 2);
}

/** Two parts of one object: the last character of the first is its end. */
function join(text: string, rest: string): string {
  return `${text.slice(0, -1)},${rest}`;
}
