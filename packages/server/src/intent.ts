import {
  type Clock,
  createKeyMinter,
  IdempotencyError,
  keyTimestamp,
  parseKey,
} from '@onceward/core';
import type { RecordName } from '@onceward/core/store';
import type { ResolvedMutation } from './options/mutation-options.ts';

/** One thing a person wanted, as an adapter read it from a request. */
export interface Intent {
  /**
   * Who wants it: the tenant or user, from authentication, never from the input. Add the
   * operation (`[user.id, 'pay']`) to give each operation keys of its own.
   */
  readonly scope: string | readonly string[];
  /** As it was sent, without quotes; `undefined` when there was none. */
  readonly key: string | undefined;
  /** The input as it came over the wire, before any transformer or schema changed it. */
  readonly input?: unknown;
}

/** Checks key and scope before anything else happens; `undefined` when there is no key. */
export function nameRecord(intent: Intent, mutation: ResolvedMutation): RecordName | undefined {
  const { engine, operation } = mutation;
  const { clock } = engine;
  const scope = scopeText(intent.scope);
  if (intent.key === undefined) {
    if (mutation.keyRequired) throw new IdempotencyError('IDEMPOTENCY_KEY_MISSING', { operation });
    return needsRecord(mutation) ? { scope, ...freshName(clock) } : undefined;
  }

  const parsed = parseKey(intent.key, engine.keyFormat);
  if (parsed.kind === 'invalid') {
    throw new IdempotencyError('IDEMPOTENCY_KEY_INVALID', { problem: parsed.problem });
  }
  const { key } = parsed;
  if (engine.keyFormat === 'opaque') return { scope, key, keyTimestampMs: null };

  const keyTimestampMs = keyTimestamp(key);
  const serverTimeMs = clock.now();
  // A key from a fast clock would outlive its own record, and then execute again.
  if (keyTimestampMs > serverTimeMs + engine.maxClockSkewMs) {
    throw new IdempotencyError('IDEMPOTENCY_KEY_FUTURE', { serverTimeMs });
  }
  return { scope, key, keyTimestampMs };
}

/** A transaction and a log of steps belong to a record, even when nobody sent a key for it. */
function needsRecord({ effect }: ResolvedMutation): boolean {
  return effect === 'atomic' || effect === 'steps';
}

function freshName(clock: Clock): Pick<RecordName, 'key' | 'keyTimestampMs'> {
  const key = createKeyMinter({ now: () => clock.now() })();
  return { key, keyTimestampMs: keyTimestamp(key) };
}

/** One text for a scope, different for different scopes. There is no default: no one is "anyone". */
function scopeText(scope: Intent['scope']): string {
  const parts = typeof scope === 'string' ? [scope] : scope;
  const valid = Array.isArray(parts) && parts.length > 0 && parts.every(isScopePart);
  const text = valid && parts.length === 1 ? String(parts[0]) : JSON.stringify(parts);
  if (valid && text.length <= 500) {
    return parts.length === 1 && text.startsWith('[') ? JSON.stringify(parts) : text;
  }
  throw new TypeError(
    'Expected `scope` to be the id of the tenant or user: one or more non-empty strings of ' +
      'well-formed text, 500 characters in all. Without it, users could read each other’s answers',
  );
}

function isScopePart(part: unknown): boolean {
  // NUL does not fit in a database text; half a surrogate pair is not one text but several.
  return typeof part === 'string' && part !== '' && !/\0|\p{Surrogate}/u.test(part);
}
