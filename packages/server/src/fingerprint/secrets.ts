import { createSecretKey, type KeyObject } from 'node:crypto';
import { types } from 'node:util';

/** A secret, with the number by which records remember that it made their fingerprint. */
export interface FingerprintSecret {
  /** From 1 to 127. Never give the number of an old secret to a new one. */
  id: number;
  /** At least 16 bytes; 32 random ones are best, such as `openssl rand -hex 32` prints. */
  secret: string | Uint8Array;
}

/** Checks secrets, and returns them by id, in order. As `KeyObject`s they are never printed. */
export function resolveSecrets(secrets: readonly FingerprintSecret[]): Map<number, KeyObject> {
  if (secrets.length === 0) {
    throw new TypeError(
      'Expected `fingerprint.secrets` to contain a secret; leave the option out to use none',
    );
  }
  const keys = new Map<number, KeyObject>();
  secrets.forEach(({ id, secret }, index) => {
    if (!Number.isInteger(id) || id < 1 || id > 127) {
      throw new TypeError(
        `Expected \`fingerprint.secrets[${index}].id\` to be a whole number from 1 to 127, got ${id}`,
      );
    }
    if (keys.has(id)) {
      throw new TypeError(
        `Expected \`fingerprint.secrets[${index}].id\` to be unique, got ${id} again`,
      );
    }
    keys.set(id, createSecretKey(secretBytes(secret, `fingerprint.secrets[${index}].secret`)));
  });
  return keys;
}

function secretBytes(secret: unknown, option: string): Uint8Array {
  if (typeof secret !== 'string' && !types.isUint8Array(secret)) {
    throw new TypeError(`Expected \`${option}\` to be a string or bytes, got ${typeof secret}`);
  }
  const bytes = Buffer.from(secret);
  if (bytes.length >= 16) return bytes;
  throw new TypeError(
    `Expected \`${option}\` to have at least 16 bytes, got ${bytes.length}: ` +
      'a short secret can be guessed from a stored fingerprint',
  );
}
