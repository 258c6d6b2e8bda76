import type { AnswerCipher, AnswerPlace } from './answer-cipher.ts';

/** How an answer is stored: `format (1) | schema version (2) | body`. */
export interface AnswerEnvelope {
  /** As a text where it can be one: a store that keeps it in memory needs no bytes. */
  pack(body: Uint8Array | string, place: AnswerPlace): Uint8Array | string;
  /** Throws when the answer cannot be read by this version or with these encryption keys. */
  unpack(answer: Uint8Array, place: AnswerPlace): { version: number; body: Uint8Array };
}

export const plainFormat = 1;
export const encryptedFormat = 2;
export const headerBytes = 3;

/** Packs answers of one schema version, and unpacks those of any. */
export function createAnswerEnvelope(
  version: number,
  cipher: AnswerCipher | undefined,
): AnswerEnvelope {
  const header = Buffer.of(cipher ? encryptedFormat : plainFormat, version >> 8, version & 0xff);
  // Made once: texts share it instead of having a copy each.
  const textHeader = !cipher && isAscii(header) ? header.toString('latin1') : undefined;
  return {
    pack(body, place) {
      if (typeof body === 'string' && textHeader !== undefined) return textHeader + body;
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      return Buffer.concat([header, cipher?.encrypt(bytes, place) ?? bytes]);
    },
    unpack(answer, place) {
      const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
      const stored = bytes.readUInt16BE(1);
      const body = bytes.subarray(headerBytes);
      switch (bytes.readUInt8(0)) {
        case plainFormat:
          // Whoever can write rows could otherwise slip in an answer that is bound to nothing.
          if (cipher && !cipher.acceptPlain) throw new Error('The answer is not encrypted');
          return { version: stored, body };
        case encryptedFormat:
          if (!cipher) throw new Error('The answer is encrypted, and there is no key');
          return { version: stored, body: cipher.decrypt(body, place) };
        default:
          throw new Error('The answer has a format that this version does not know');
      }
    },
  };
}

/** Whether bytes are the same in UTF-8. */
function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}
