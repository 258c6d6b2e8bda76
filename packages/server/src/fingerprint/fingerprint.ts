import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Fingerprint } from '@onceward/core/store';
import { writeString } from './canonical-json.ts';
import { HmacKey, isShort } from './hmac-key.ts';
import { inputText } from './input-text.ts';
import { LateFingerprint } from './late-fingerprint.ts';
import { type FingerprintSecret, resolveSecrets } from './secrets.ts';

/** How inputs are compared without being stored. */
export interface FingerprintOptions {
  /**
   * The first makes new fingerprints; all of them recognise the records they made.
   *
   * Without secrets, whoever can read the table of records can test guesses of an input: "was it
   * this card, this amount?" With them, that takes the secret too.
   *
   * To rotate, put the new secret last and deploy, then put it first and deploy. Remove the old
   * one when the keys of its time have expired.
   */
  secrets?: readonly FingerprintSecret[];
}

/** What a fingerprint is taken of. */
export interface FingerprintRequest {
  /** Part of the key of the digest: equal inputs of two tenants look unrelated. */
  readonly scope: string;
  /** Part of what is digested: the same input to another operation is something else. */
  readonly operation: string;
  /** As it came over the wire. Absent or `undefined` is not the same as `null`. */
  readonly input?: unknown;
  /** Chooses what must be equal on every attempt, for inputs that contain, say, the time sent. */
  readonly select?: ((input: unknown) => unknown) | undefined;
}

export interface Fingerprinter {
  /** The version of new fingerprints. */
  readonly current: number;
  /** Every version this process can make again, to compare with an older record. */
  readonly versions: readonly number[];
  /**
   * Takes the fingerprint of an operation and its input. A promise only if the input has files or is
   * large: then others get their turn while it is taken.
   *
   * @throws IdempotencyError `IDEMPOTENCY_INPUT_INVALID`, when it could be taken for another input
   */
  of(request: FingerprintRequest, version?: number): Fingerprint | Promise<Fingerprint>;
}

/**
 * Makes fingerprints: HMAC-SHA-256 over the operation and its input as canonical JSON.
 *
 *   digest  = HMAC(key of the scope, {"input":…,"operation":…})
 *   key     = HMAC(secret, label and scope)
 *   version = 128 × algorithm + id of the secret, which is 0 where there is none
 *
 * With `late`, a digest is taken when it is first read, for a store that knows about that.
 */
export function createFingerprinter(
  options: FingerprintOptions = {},
  { late = false }: { readonly late?: boolean } = {},
): Fingerprinter {
  const secrets = secretsByVersion(options);
  const versions = [...secrets.keys()];
  const [current = versionOf(noSecretId)] = versions;
  const scopeKeys = new ScopeKeys();

  return {
    current,
    versions,
    of({ scope, operation, input, select }, version = current) {
      const secret = secrets.get(version);
      if (!secret) throw new TypeError(unknownVersion(version, versions));

      const key = scopeKeys.of(secret, scope);
      const text = requestText(operation, select ? select(input) : input);
      if (typeof text !== 'string') {
        return text.then(async (long) => ({ version, digest: await key.digestInTurns(long) }));
      }
      return late && isShort(text)
        ? new LateFingerprint(version, key, text)
        : { version, digest: Buffer.from(key.digest(text), 'latin1') };
    },
  };
}

/** Raise it when equal requests would get another digest; keep the old algorithm beside it. */
const algorithm = 1;
const noSecretId = 0;
const label = 'onceward fingerprint 1\0';

/**
 * The first is the current one.
 *
 * Records made without a secret can always be recognised, so that adding the first one does not
 * turn the retries of that moment into reused keys.
 */
function secretsByVersion({ secrets }: FingerprintOptions): Map<number, KeyObject> {
  const byId = secrets ? [...resolveSecrets(secrets)] : [];
  const none = createSecretKey(Buffer.from(label));
  return new Map([...byId, [noSecretId, none] as const].map(([id, key]) => [versionOf(id), key]));
}

function versionOf(secretId: number): number {
  return algorithm * 128 + secretId;
}

/** The keys of the scopes that were seen lately: to derive one takes as long as a fingerprint. */
class ScopeKeys {
  readonly #bySecret = new Map<KeyObject, Map<string, HmacKey>>();

  of(secret: KeyObject, scope: string): HmacKey {
    let known = this.#bySecret.get(secret);
    if (!known) this.#bySecret.set(secret, (known = new Map<string, HmacKey>()));
    let key = known.get(scope);
    if (!key) {
      // Emptied rather than aged: whoever is active is back with the next call.
      if (known.size >= mostScopes) known.clear();
      known.set(scope, (key = deriveScopeKey(secret, scope)));
    }
    return key;
  }
}

const mostScopes = 1_000;

function deriveScopeKey(secret: KeyObject, scope: string): HmacKey {
  return new HmacKey(
    createHmac('sha256', secret)
      .update(label + scope)
      .digest(),
  );
}

/** `input` sorts before `operation`, and an input that is absent has no text at all. */
function requestText(operation: string, input: unknown): string | Promise<string> {
  const rest = `"operation":${writeString(operation)}}`;
  if (input === undefined) return `{${rest}`;
  const text = inputText(input);
  const around = (written: string) => `{"input":${written},${rest}`;
  return typeof text === 'string' ? around(text) : text.then(around);
}

function unknownVersion(version: number, versions: readonly number[]): string {
  return `Expected a fingerprint version out of ${versions.join(', ')}, got ${version}`;
}
