import { encryptedFormat, headerBytes, plainFormat } from './answer-envelope.ts';

/** A stored answer, as far as it can be read without the application. */
export interface DescribedAnswer {
  readonly encoding: 'plain' | 'encrypted' | 'foreign';
  /** The schema version that the application gave it. */
  readonly version: number | undefined;
  /** What the application stored, where that is a text. */
  readonly text: string | undefined;
}

/** Reads what an operator may see of an answer, in the form in which the engine stores them. */
export function describeAnswer(answer: Uint8Array): DescribedAnswer {
  const bytes = Buffer.from(answer);
  const encoding = bytes.length < headerBytes ? undefined : formats[bytes.readUInt8(0)];
  if (encoding === undefined) return { encoding: 'foreign', version: undefined, text: undefined };
  const version = bytes.readUInt16BE(1);
  const text = encoding === 'plain' ? textOf(bytes.subarray(headerBytes)) : undefined;
  return { encoding, version, text };
}

const formats: Readonly<Record<number, 'plain' | 'encrypted'>> = {
  [plainFormat]: 'plain',
  [encryptedFormat]: 'encrypted',
};

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
