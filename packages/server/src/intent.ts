import {
  IdempotencyError,
  type IdempotencyKey,
  type KeyFormat,
  keyTimestamp,
  parseKey,
  uuidV7Time,
} from '@onceward/core';
import type { RecordName } from '@onceward/core/store';
import type { EngineRuntime } from './engine-runtime.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';

/** One thing a person wanted, as an adapter read it from a request. */
export interface Intent {
  /**
   * Who wants it: the tenant or user, from authentication, never from the input. Add the
   * operation (`[user.id, 'pay']`) to give each operation keys of its own.
   */
  readonly scope: string | readonly string[];
  /** As it was sent, without quotes; `undefined` or `null` when there was none. */
  readonly key: string | undefined | null;
  /**
   * The input as it came over the wire, before any transformer or schema changed it. Leave it as it
   * is while the intent runs: a large one is read in turns with whatever else happens.
   */
  readonly input?: unknown;
}

/** Checks key and scope before anything else happens; `undefined` when there is no key. */
export function checkIntent(intent: Intent, mutation: ResolvedMutation): RecordName | undefined {
  const { engine, operation } = mutation;
  const scope = scopeText(intent.scope);
  if (intent.key === undefined || intent.key === null) {
    if (mutation.keyRequired) throw new IdempotencyError('IDEMPOTENCY_KEY_MISSING', { operation });
    return needsRecord(mutation) ? { scope, ...freshName(engine) } : undefined;
  }

  if (typeof intent.key !== 'string') {
    throw new IdempotencyError('IDEMPOTENCY_KEY_INVALID', { problem: 'malformed' });
  }
  if (engine.keyFormat === 'opaque') {
    return { scope, key: parsedKey(intent.key, 'opaque'), keyTimestampMs: null };
  }

  // Adapters have parsed it before, so it mostly is a key as it stands.
  const timestampMs = uuidV7Time(intent.key);
  const key =
    timestampMs === undefined ? parsedKey(intent.key, 'uuid-v7') : (intent.key as IdempotencyKey);
  const keyTimestampMs = timestampMs ?? keyTimestamp(key);
  const serverTimeMs = engine.clock.now();
  // A key from a fast clock would outlive its own record, and then execute again.
  const retryAfterMs = keyTimestampMs - serverTimeMs - engine.maxClockSkewMs;
  if (retryAfterMs > 0) {
    throw new IdempotencyError('IDEMPOTENCY_KEY_FUTURE', { serverTimeMs, retryAfterMs });
  }
  return { scope, key, keyTimestampMs };
}

function parsedKey(text: string, format: KeyFormat): IdempotencyKey {
  const parsed = parseKey(text, format);
  if (parsed.kind === 'key') return parsed.key;
  throw new IdempotencyError('IDEMPOTENCY_KEY_INVALID', { problem: parsed.problem });
}

/** A transaction and a log of steps belong to a record, even when nobody sent a key for it. */
function needsRecord({ effect }: ResolvedMutation): boolean {
  return effect === 'atomic' || effect === 'steps';
}

function freshName(engine: EngineRuntime): Pick<RecordName, 'key' | 'keyTimestampMs'> {
  const key = engine.mintKey();
  return { key, keyTimestampMs: keyTimestamp(key) };
}

/** One text for a scope, different for different scopes. There is no default: no one is "anyone". */
export function scopeText(scope: Intent['scope']): string {
  if (typeof scope === 'string' && isPlainScope(scope)) return scope;
  // `Array.from` fills the holes of a sparse array, which `every` would skip.
  const parts: unknown[] = typeof scope === 'string' ? [scope] : Array.from(scope ?? []);
  if (parts.length === 0 || !parts.every(isScopePart)) throw noScope();
  const [only] = parts;
  // A plain text that begins like JSON must not meet the JSON of several parts.
  const text = parts.length === 1 && !only?.startsWith('[') ? String(only) : JSON.stringify(parts);
  if (text.length > 500) throw noScope();
  return text;
}

/**
 * One part of printable ASCII that does not begin like JSON. Most are, and need no closer look. By
 * hand, as keys are.
 */
function isPlainScope(scope: string): boolean {
  const { length } = scope;
  if (length === 0 || length > 500 || scope.charCodeAt(0) === openingBracket) return false;
  for (let index = 0; index < length; index += 1) {
    const code = scope.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

const openingBracket = 0x5b;

function noScope(): TypeError {
  return new TypeError(
    'Expected `scope` to be the id of the tenant or user: one or more non-empty strings of ' +
      'well-formed text, 500 characters in all. Without it, users could read each other’s answers',
  );
}

function isScopePart(part: unknown): part is string {
  // NUL does not fit in a database text; half a surrogate pair is not one text but several.
  return typeof part === 'string' && part !== '' && !/\0|\p{Surrogate}/u.test(part);
}
