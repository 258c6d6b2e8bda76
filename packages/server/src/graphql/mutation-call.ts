import type { IdempotencyKey } from '@onceward/core';
import type { ExecutionResult } from 'graphql';
import type { Intent } from '../intent.ts';
import type { IntentResult } from '../run-intent.ts';
import { Execution } from './execution.ts';
import { FailedExecution } from './failed-execution.ts';
import type { KeptResult } from './result-codec.ts';
import type { SentOperation } from './root-fields.ts';
import type { MarkedField } from './schema-policy.ts';
import { settleUploads } from './settle-uploads.ts';

/** What a mutation is answered with. */
export interface Answer {
  readonly result: ExecutionResult;
  /** True when an earlier attempt made it and nothing was executed now. */
  readonly replayed: boolean;
  /** Until when the same key gets the same answer; absent when it cannot be given again. */
  readonly answerExpiresAt?: number | undefined;
}

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
   * The engine runs a handler and stores what it returns, while servers execute first and finish a
   * result later, with hooks in between. So the handler waits for {@link Execution.finish}, which
   * resolves when the answer is stored.
   *
   * @throws IdempotencyError when it is refused
   */
  begin(): Promise<Begun> {
    const settled = settleUploads(this.#parts.input);
    return settled instanceof Promise
      ? settled.then((input: unknown) => this.#beginWith(input))
      : this.#beginWith(settled);
  }

  #beginWith(input: unknown): Promise<Begun> {
    const { responseName, scope, key } = this.#parts;
    return new Promise((resolve, reject) => {
      const intent = { scope: scope(), key, input };
      const answered: Promise<Answer> = this.field.mutation
        .resultOnce<KeptResult>(intent, (attempt) => {
          const execution = new Execution({ attempt, responseName, answered: () => answered });
          resolve({ kind: 'execute', execution });
          return execution.result;
        })
        .then(answerFrom, answerFromError);
      // After `execute`, nobody hears of these here: whoever executes gets them.
      answered.then((answer) => resolve({ kind: 'answered', answer }), reject);
    });
  }
}

function answerFrom({ result, replayed, answerExpiresAt }: IntentResult<KeptResult>): Answer {
  if (result.kind === 'success') return { result: result.value.result, replayed, answerExpiresAt };
  const { error } = result;
  if (error instanceof FailedExecution) return { result: error.answer, replayed, answerExpiresAt };
  throw error;
}

/** A failure that is not stored is an answer all the same, for this delivery. */
function answerFromError(error: unknown): Answer {
  if (error instanceof FailedExecution) return { result: error.answer, replayed: false };
  throw error;
}
