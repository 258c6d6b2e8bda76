import { deriveKey, type Sha256 } from '../keys/derive-key.ts';
import type { IdempotencyKey } from '../keys/idempotency-key.ts';
import type { CurrentIntent } from './current-intent.ts';

/** One execution, as those it calls may know it. */
export interface Execution {
  readonly key: IdempotencyKey;
  /**
   * What tells it apart from others with this key, the same on every attempt: the scope, because two
   * tenants may use one key, and the step.
   */
  readonly within: readonly string[];
}

/** The intent of an execution, which counts the calls to each operation. */
export class ExecutingIntent implements CurrentIntent {
  readonly key: IdempotencyKey;
  readonly #within: readonly string[];
  readonly #sha256: Sha256;
  #calls: Map<string, number> | undefined;

  constructor({ key, within }: Execution, sha256: Sha256) {
    this.key = key;
    this.#within = within;
    this.#sha256 = sha256;
  }

  childKey(operation: string): IdempotencyKey {
    const calls = (this.#calls ??= new Map<string, number>());
    const ordinal = calls.get(operation) ?? 0;
    calls.set(operation, ordinal + 1);
    return deriveKey(this.key, ['call', ...this.#within, operation, ordinal], this.#sha256);
  }
}
