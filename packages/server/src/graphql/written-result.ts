import type { ExecutionResult } from 'graphql';
import type { AnswerFacts } from './answer-facts.ts';

/**
 * A result whose data has been written already, for servers that let a result write itself.
 *
 * Only for where nobody comes after: what changes inside of `data` is not in its text. Whatever else
 * is added is written as ever, and a copy of this is an ordinary result.
 */
export class WrittenResult implements ExecutionResult {
  readonly data: NonNullable<ExecutionResult['data']>;
  readonly extensions: Record<string, unknown>;
  readonly #text: string;
  /** Which data that is the text of. */
  readonly #data: NonNullable<ExecutionResult['data']>;
  readonly #facts: AnswerFacts;

  /** `text` is that of a result with these data and nothing else. */
  constructor(text: string, data: NonNullable<ExecutionResult['data']>, facts: AnswerFacts) {
    this.#text = text;
    this.data = this.#data = data;
    this.#facts = facts;
    this.extensions = { idempotency: facts.inBody, http: facts.http };
  }

  /** As Yoga and Envelop call it: with what is to be sent of the result, and without `this`. */
  get stringify(): (sent: ExecutionResult) => string {
    return (sent) => {
      if (sent.data !== this.#data) return JSON.stringify({ ...sent });
      const others = othersText(sent, this.#facts);
      return others === '{}' ? this.#text : `${this.#text.slice(0, -1)},${others.slice(1)}`;
    };
  }
}

/** Everything but the data: mostly extensions alone, written without a copy of the result. */
function othersText(sent: ExecutionResult, facts: AnswerFacts): string {
  for (const name in sent) {
    if (name === 'data' || name === 'extensions') continue;
    return JSON.stringify({ ...sent, data: undefined });
  }
  const extensions = extensionsText(sent.extensions, facts);
  return extensions === undefined ? '{}' : `{"extensions":${extensions}}`;
}

/** Mostly facts alone, whose text is known. */
function extensionsText(
  extensions: ExecutionResult['extensions'],
  { inBody, text }: AnswerFacts,
): string | undefined {
  for (const name in extensions) {
    if (name === 'idempotency' && extensions[name] === inBody) continue;
    return JSON.stringify(extensions);
  }
  if (extensions?.['idempotency'] === inBody) return `{"idempotency":${text}}`;
  return JSON.stringify(extensions);
}
