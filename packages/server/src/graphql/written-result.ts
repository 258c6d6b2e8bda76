import type { ExecutionResult } from 'graphql';

/**
 * A result whose data has been written already, for servers that let a result write itself.
 *
 * Only `data` is taken from the text. Whatever else a plugin adds later is written as ever, and a
 * copy of this is an ordinary object: it has no `stringify`, which is none of its own members.
 */
export class WrittenResult implements ExecutionResult {
  readonly data: NonNullable<ExecutionResult['data']>;
  readonly extensions: Record<string, unknown>;
  readonly #text: string;

  /** `text` is that of a result with these data and nothing else. */
  constructor(
    text: string,
    data: NonNullable<ExecutionResult['data']>,
    extensions: Record<string, unknown>,
  ) {
    this.#text = text;
    this.data = data;
    this.extensions = extensions;
  }

  /** As Yoga and Envelop call it: with what is to be sent of the result, and without `this`. */
  get stringify(): (sent: ExecutionResult) => string {
    return (sent) => {
      if (sent.data !== this.data) return JSON.stringify({ ...sent });
      const others = JSON.stringify({ ...sent, data: undefined });
      return others === '{}' ? this.#text : `${this.#text.slice(0, -1)},${others.slice(1)}`;
    };
  }
}
