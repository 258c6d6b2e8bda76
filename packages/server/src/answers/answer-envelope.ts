import type { AnswerCipher, AnswerPlace } from './answer-cipher.ts';

/** How an answer is stored: `format (1) | schema version (2) | body`. */
export interface AnswerEnvelope {
  /** As a text where it can be one: a store that keeps it in memory needs no bytes. */
  pack(body: Uint8Array | string, version: number, place: AnswerPlace): Uint8Array | string;
  /** Throws when the answer cannot be read by this version or with these encryption keys. */
  unpack(answer: Uint8Array, place: AnswerPlace): { version: number; body: Uint8Array };
}

export const plainFormat = 1;
export const encryptedFormat = 2;
export const headerBytes = 3;

export function createAnswerEnvelope(cipher: AnswerCipher | undefined): AnswerEnvelope {
  return {
    pack(body, version, place) {
      if (!cipher && typeof body === 'string' && isAscii(version)) return plainText(version, body);
      if (!cipher) return packed(plainFormat, version, body);
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      return packed(encryptedFormat, version, cipher.encrypt(bytes, place));
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

/** Whether both bytes of a version are the same in UTF-8. */
function isAscii(version: number): boolean {
  return (version & 0x8080) === 0;
}

function plainText(version: number, body: string): string {
  return String.fromCharCode(plainFormat, version >> 8, version & 0xff) + body;
}

function packed(format: number, version: number, body: Uint8Array | string): Uint8Array {
  const isText = typeof body === 'string';
  const answer = Buffer.allocUnsafe(headerBytes + (isText ? Buffer.byteLength(body) : body.length));
  answer[0] = format;
  answer[1] = version >> 8;
  answer[2] = version & 0xff;
  if (isText) answer.write(body, headerBytes);
  else answer.set(body, headerBytes);
  return answer;
}
