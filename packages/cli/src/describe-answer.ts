/** A stored answer, as far as it can be read without the application. */
export interface DescribedAnswer {
  readonly encoding: 'plain' | 'encrypted' | 'foreign';
  /** The schema version that the application gave it. */
  readonly version: number | undefined;
  /** What the application stored, where that is a text. */
  readonly text: string | undefined;
}

/** Answers are `format (1 byte) | version (2 bytes) | body`, as the engine of the kit writes them. */
export function describeAnswer(answer: Uint8Array): DescribedAnswer {
  const bytes = Buffer.from(answer);
  const encoding = bytes.length < HEADER_BYTES ? undefined : formats[bytes.readUInt8(0)];
  if (encoding === undefined) return { encoding: 'foreign', version: undefined, text: undefined };
  const version = bytes.readUInt16BE(1);
  const text = encoding === 'plain' ? textOf(bytes.subarray(HEADER_BYTES)) : undefined;
  return { encoding, version, text };
}

const HEADER_BYTES = 3;
const formats: Readonly<Record<number, 'plain' | 'encrypted'>> = { 1: 'plain', 2: 'encrypted' };

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
