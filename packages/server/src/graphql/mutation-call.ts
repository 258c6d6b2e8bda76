import type { IdempotencyKey } from '@onceward/core';
import type { Awaitable } from '@onceward/core/store';
import { writtenAtOnce } from '../fingerprint/input-text.ts';
import { isPromise } from '../is-promise.ts';
import type { Intent } from '../intent.ts';
import type { OpenIntent, Opening } from '../open-intent.ts';
import type { IntentResult } from '../run-intent.ts';
import { type Answer, answerFrom } from './answer.ts';
import { Execution } from './execution.ts';
import { openHandler } from './open-handler.ts';
import type { SentOperation } from './root-fields.ts';
import type { MarkedField } from './schema-policy.ts';
import { settleUploads } from './settle-uploads.ts';

/** Either the answer is there, or the server is to execute. */
export type Begun =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'execute'; readonly execution: Execution };

export interface CallParts {
  readonly sent: SentOperation;
  readonly field: MarkedField;
  /** The name under which the field is answered. */
  readonly responseName: string;
  readonly scope: () => Intent['scope'];
  readonly key: IdempotencyKey | undefined;
  readonly input: unknown;
}

/** An operation with a marked field, ready to be run once. */
export class MutationCall {
  readonly #parts: CallParts;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  get sent(): SentOperation {
    return this.#parts.sent;
  }

  get field(): MarkedField {
    return this.#parts.field;
  }

  /** Absent only where it is optional and was not sent. */
  get key(): IdempotencyKey | undefined {
    return this.#parts.key;
  }

  /**
   * Asks for the right to execute. Answers at once where neither files nor the store have to be
   * waited for.
   *
   * @throws IdempotencyError, or rejects with one, when it is refused
   */
  begin(): Awaitable<Begun> {
    // What can be written as JSON has no files in it: to look for them would be a walk of its own.
    const written = writtenAtOnce(this.#parts.input);
    if (written) return this.#open(written);
    const input = settleUploads(this.#parts.input);
    return input instanceof Promise
      ? input.then((settled) => this.#open(settled))
      : this.#open(input);
  }

  #open(input: unknown): Awaitable<Begun> {
    const { mutation } = this.field;
    const intent = { scope: this.#parts.scope(), key: this.#parts.key, input };
    const opening = mutation.openOnce(intent);
    return isPromise(opening)
      ? opening.then((opened) => this.#proceed(opened, intent))
      : this.#proceed(opening, intent);
  }

  #proceed(opened: Opening, intent: Intent): Awaitable<Begun> {
    if (opened) return this.#begun(opened);
    return openHandler(this.field.mutation, intent).then((handled) => this.#begun(handled));
  }

  #begun(opened: OpenIntent | IntentResult): Begun {
    return 'kind' in opened
      ? { kind: 'execute', execution: new Execution(opened, this.#parts.responseName) }
      : { kind: 'answered', answer: answerFrom(opened) };
  }
}
