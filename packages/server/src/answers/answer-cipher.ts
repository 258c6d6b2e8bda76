import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** How answers are encrypted before they are stored. */
export interface EncryptionOptions {
  /** The first encrypts; all decrypt. Add a new one in front, and remove old ones a retention later. */
  keys: readonly EncryptionKey[];
  /**
   * Also replay answers that are not encrypted, for as long as those of before are kept.
   *
   * Whoever can write to the store could slip in such an answer, so do not leave it on.
   *
   * @defaultValue `false`
   */
  acceptPlain?: boolean;
}

/** A key that encrypts answers, with a name of its own. */
export interface EncryptionKey {
  /** Stored beside the ciphertext: 1 to 32 letters, digits, `-` or `_`. */
  readonly id: string;
  /** 32 random bytes. */
  readonly key: Uint8Array;
}

/** Where an answer belongs. A ciphertext moved to another record does not open. */
export interface AnswerPlace {
  readonly scope: string;
  readonly key: string;
  readonly operation: string;
}

/** Encrypts and decrypts stored answers with AES-256-GCM. */
export interface AnswerCipher {
  readonly acceptPlain: boolean;
  encrypt(plain: Uint8Array, place: AnswerPlace): Uint8Array;
  /** Throws when the key is missing or a single bit was changed. */
  decrypt(encrypted: Uint8Array, place: AnswerPlace): Uint8Array;
}

/** `id length (1) | id | iv (12) | tag (16) | ciphertext` */
const ivBytes = 12;
const tagBytes = 16;

export function createAnswerCipher({ keys, acceptPlain = false }: EncryptionOptions): AnswerCipher {
  const byId = new Map(keys.map((each) => [checkKey(each).id, each.key]));
  const [current] = keys;
  if (!current || byId.size !== keys.length) {
    throw new TypeError('Expected `encryption.keys` to hold at least one key, and no id twice');
  }

  return {
    acceptPlain,
    encrypt(plain, place) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', current.key, iv);
      cipher.setAAD(bind(current.id, place));
      const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
      const id = Buffer.from(current.id, 'ascii');
      return Buffer.concat([Buffer.of(id.length), id, iv, cipher.getAuthTag(), ciphertext]);
    },
    decrypt(encrypted, place) {
      const idEnd = 1 + (encrypted[0] ?? 0);
      const id = Buffer.from(encrypted.subarray(1, idEnd)).toString('ascii');
      const key = byId.get(id);
      if (!key) throw new Error('The answer was encrypted with a key that is not configured');
      const tagStart = idEnd + ivBytes;
      const tagEnd = tagStart + tagBytes;
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(idEnd, tagStart));
      decipher.setAAD(bind(id, place));
      decipher.setAuthTag(encrypted.subarray(tagStart, tagEnd));
      return Buffer.concat([decipher.update(encrypted.subarray(tagEnd)), decipher.final()]);
    },
  };
}

function bind(id: string, { scope, key, operation }: AnswerPlace): Uint8Array {
  return Buffer.from(JSON.stringify(['onceward-answer', id, scope, key, operation]), 'utf8');
}

function checkKey(each: EncryptionKey): EncryptionKey {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(each.id)) {
    throw new TypeError('Expected `encryption.keys[].id` to be 1 to 32 of A-Z a-z 0-9 - _');
  }
  if (!ArrayBuffer.isView(each.key) || each.key.byteLength !== 32) {
    throw new TypeError('Expected `encryption.keys[].key` to be 32 bytes');
  }
  return each;
}
