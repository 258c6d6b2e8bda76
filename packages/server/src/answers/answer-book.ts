import type { Outcome, UnavailableReason } from '@onceward/core/store';
import type { AnswerCodec } from './answer-codec.ts';
import type { AnswerPlace, AnswerSeal } from './answer-seal.ts';

export interface AnswerBookOptions {
  readonly codec: AnswerCodec;
  /** The schema version that new answers are stored with. */
  readonly version: number;
  /** What turns an answer of an older version into one of today. */
  readonly decoders: Readonly<Record<number, (value: unknown) => unknown>>;
  readonly maxBytes: number;
  readonly seal: AnswerSeal | undefined;
}

/** What a handler made of an intent, before it is stored or after it was read back. */
export type Result<Value = unknown> =
  | { readonly kind: 'success'; readonly value: Value }
  | { readonly kind: 'failure'; readonly error: unknown };

/** Writes results as outcomes and reads them again: codec, version, size cap, encryption. */
export interface AnswerBook {
  /** Never throws: the effect has happened, and a record that says so must be written. */
  write(result: Result, place: AnswerPlace): Outcome;
  read(outcome: Outcome, place: AnswerPlace): Result | Unavailable;
}

export interface Unavailable {
  readonly kind: 'unavailable';
  readonly reason: UnavailableReason;
}

/** `format (1) | schema version (2) | answer`; format 1 is plain, 2 is sealed. */
const plainFormat = 1;
const sealedFormat = 2;
const headerBytes = 3;

export function createAnswerBook(options: AnswerBookOptions): AnswerBook {
  const { codec, version, maxBytes, seal } = options;

  return {
    write(result, place) {
      try {
        const body =
          result.kind === 'success' ? codec.encode(result.value) : codec.encodeError(result.error);
        if (body.length > maxBytes) return unavailable('too-large');
        const header = Buffer.alloc(headerBytes);
        header.writeUInt8(seal ? sealedFormat : plainFormat, 0);
        header.writeUInt16BE(version, 1);
        const answer = Buffer.concat([header, seal ? seal.seal(body, place) : body]);
        return { kind: result.kind, answer };
      } catch {
        return unavailable('not-serialisable');
      }
    },
    read(outcome, place) {
      if (outcome.kind === 'unavailable') return outcome;
      try {
        return readAnswer(outcome, place, options);
      } catch {
        return unavailable('undecodable');
      }
    },
  };
}

function readAnswer(
  { kind, answer }: Exclude<Outcome, { kind: 'unavailable' }>,
  place: AnswerPlace,
  { codec, version, decoders, seal }: AnswerBookOptions,
): Result {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  const format = bytes.readUInt8(0);
  const storedVersion = bytes.readUInt16BE(1);
  const stored = bytes.subarray(headerBytes);
  const body = format === plainFormat ? stored : open(format, seal).open(stored, place);
  if (kind === 'failure') return { kind, error: codec.decodeError(body) };

  const value = codec.decode(body);
  if (storedVersion === version) return { kind, value };
  const decoder = decoders[storedVersion];
  if (!decoder) throw new Error(`No decoder for answers of version ${storedVersion}`);
  return { kind, value: decoder(value) };
}

function open(format: number, seal: AnswerSeal | undefined): AnswerSeal {
  if (format === sealedFormat && seal) return seal;
  throw new Error('The answer is encrypted, or of a format this version does not know');
}

function unavailable(reason: UnavailableReason): Unavailable {
  return { kind: 'unavailable', reason };
}
