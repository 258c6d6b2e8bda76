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
export function executingIntent({ key, within }: Execution, sha256: Sha256): CurrentIntent {
  const calls = new Map<string, number>();
  return {
    key,
    childKey(operation) {
      const ordinal = calls.get(operation) ?? 0;
      calls.set(operation, ordinal + 1);
      return deriveKey(key, ['call', ...within, operation, ordinal], sha256);
    },
  };
}
