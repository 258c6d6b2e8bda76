import type { IdempotencyKey } from '@onceward/core';
import type { Intent } from '../intent.ts';
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
  readonly sent: SentOperation;
  readonly field: MarkedField;
  /** Absent only where it is optional and was not sent. */
  readonly key: IdempotencyKey | undefined;
  readonly #parts: CallParts;

  constructor(parts: CallParts) {
    this.sent = parts.sent;
    this.field = parts.field;
    this.key = parts.key;
    this.#parts = parts;
  }

  /**
   * Asks for the right to execute.
   *
   * @throws IdempotencyError when it is refused
   */
  async begin(): Promise<Begun> {
    const { responseName, scope, key } = this.#parts;
    const settled = settleUploads(this.#parts.input);
    const input: unknown = settled instanceof Promise ? await settled : settled;
    const intent = { scope: scope(), key, input };
    const { mutation } = this.field;
    const begun = (await mutation.openOnce(intent)) ?? (await openHandler(mutation, intent));
    return 'kind' in begun
      ? { kind: 'execute', execution: new Execution(begun, responseName) }
      : { kind: 'answered', answer: answerFrom(begun) };
  }
}
