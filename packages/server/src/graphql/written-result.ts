import type { ExecutionResult } from 'graphql';

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

  /** `text` is that of a result with these data and nothing else. */
  constructor(
    text: string,
    data: NonNullable<ExecutionResult['data']>,
    extensions: Record<string, unknown>,
  ) {
    this.#text = text;
    this.data = this.#data = data;
    this.extensions = extensions;
  }

  /** As Yoga and Envelop call it: with what is to be sent of the result, and without `this`. */
  get stringify(): (sent: ExecutionResult) => string {
    return (sent) => {
      if (sent.data !== this.#data) return JSON.stringify({ ...sent });
      const others = othersText(sent);
      return others === '{}' ? this.#text : `${this.#text.slice(0, -1)},${others.slice(1)}`;
    };
  }
}

/** Everything but the data: mostly extensions alone, written without a copy of the result. */
function othersText(sent: ExecutionResult): string {
  for (const name in sent) {
    if (name === 'data' || name === 'extensions') continue;
    return JSON.stringify({ ...sent, data: undefined });
  }
  const extensions = JSON.stringify(sent.extensions) as string | undefined;
  return extensions === undefined ? '{}' : `{"extensions":${extensions}}`;
}
