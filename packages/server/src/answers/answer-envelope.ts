import type { AnswerCipher, AnswerPlace } from './answer-cipher.ts';

/** How an answer is stored: `format (1) | schema version (2) | body`. */
export interface AnswerEnvelope {
  pack(body: Uint8Array, version: number, place: AnswerPlace): Uint8Array;
  /** Throws when the answer cannot be read by this version or with these encryption keys. */
  unpack(answer: Uint8Array, place: AnswerPlace): { version: number; body: Uint8Array };
}

export const plainFormat = 1;
export const encryptedFormat = 2;
export const headerBytes = 3;

export function createAnswerEnvelope(cipher: AnswerCipher | undefined): AnswerEnvelope {
  return {
    pack(body, version, place) {
      const stored = cipher ? cipher.encrypt(body, place) : body;
      const answer = Buffer.allocUnsafe(headerBytes + stored.length);
      answer.writeUInt8(cipher ? encryptedFormat : plainFormat, 0);
      answer.writeUInt16BE(version, 1);
      answer.set(stored, headerBytes);
      return answer;
    },
    unpack(answer, place) {
      const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
      const version = bytes.readUInt16BE(1);
      const body = bytes.subarray(headerBytes);
      switch (bytes.readUInt8(0)) {
        case plainFormat:
          // Whoever can write rows could otherwise slip in an answer that is bound to nothing.
          if (cipher && !cipher.acceptPlain) throw new Error('The answer is not encrypted');
          return { version, body };
        case encryptedFormat:
          if (!cipher) throw new Error('The answer is encrypted, and there is no key');
          return { version, body: cipher.decrypt(body, place) };
        default:
          throw new Error('The answer has a format that this version does not know');
      }
    },
  };
}
