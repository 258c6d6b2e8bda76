import type { Completion, Outcome, UnavailableReason } from '@onceward/core/store';
import type { AnswerCipher, AnswerPlace } from './answer-cipher.ts';
import type { AnswerCodec } from './answer-codec.ts';
import { createAnswerEnvelope } from './answer-envelope.ts';
import { bareError } from './bare-error.ts';

export interface AnswerFormatOptions {
  readonly codec: AnswerCodec;
  /** The schema version that new answers are stored with. */
  readonly version: number;
  /** What turns a value of an older version into one of today. Errors have no versions. */
  readonly decoders: Readonly<Record<number, (value: unknown) => unknown>>;
  readonly maxBytes: number;
  readonly cipher: AnswerCipher | undefined;
}

/** What a handler made of an intent, before it is stored or after it was read back. */
export type HandlerResult<Value = unknown> =
  | { readonly kind: 'success'; readonly value: Value }
  | { readonly kind: 'failure'; readonly error: unknown };

/** Writes results as outcomes and reads them again: codec, version, size cap, encryption. */
export interface AnswerFormat {
  /** Never throws: the effect has happened, and a record that says so must be written. */
  write(result: HandlerResult, place: AnswerPlace): Completion['outcome'];
  read(outcome: Outcome, place: AnswerPlace): HandlerResult | Unavailable;
}

export interface Unavailable {
  readonly kind: 'unavailable';
  readonly reason: UnavailableReason;
}

export function createAnswerFormat(options: AnswerFormatOptions): AnswerFormat {
  const { codec, version, decoders, maxBytes } = options;
  const envelope = createAnswerEnvelope(version, options.cipher);

  const writeFailure = (error: unknown, place: AnswerPlace): Completion['outcome'] => {
    const body = codec.encodeError(error);
    if (isLonger(body, maxBytes)) throw new RangeError('The error is larger than an answer may be');
    return { kind: 'failure', answer: envelope.pack(body, place) };
  };
  const writeValue = (value: unknown, place: AnswerPlace): Completion['outcome'] => {
    if (codec.holdsStream?.(value) ?? holdsStream(value)) return unavailable('streamed');
    const body = codec.encode(value);
    if (isLonger(body, maxBytes)) return unavailable('too-large');
    return { kind: 'success', answer: envelope.pack(body, place) };
  };

  return {
    write(result, place) {
      if (result.kind === 'success') {
        try {
          return writeValue(result.value, place);
        } catch {
          return unavailable('not-serialisable');
        }
      }
      // That it failed must not turn into "it took effect": a shorter error is better than none.
      return (
        attempt(() => writeFailure(result.error, place)) ??
        attempt(() => writeFailure(bareError(result.error), place)) ??
        unavailable('not-serialisable')
      );
    },
    read(outcome, place) {
      if (outcome.kind === 'unavailable') return outcome;
      const { kind, answer } = outcome;
      const read = (): HandlerResult => {
        const { version: stored, body } = envelope.unpack(answer, place);
        if (kind === 'failure') return { kind, error: codec.decodeError(body) };
        const value = codec.decode(body);
        if (stored === version) return { kind, value };
        const decoder = decoders[stored];
        if (!decoder) throw new Error(`There is no decoder for answers of version ${stored}`);
        return { kind, value: decoder(value) };
      };
      return attempt(read) ?? unavailable('undecodable');
    },
  };
}

/** A text stands for its bytes in UTF-8, which are three for each of its units at most. */
function isLonger(body: Uint8Array | string, maxBytes: number): boolean {
  if (typeof body !== 'string') return body.length > maxBytes;
  return body.length * 3 > maxBytes && Buffer.byteLength(body) > maxBytes;
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** A stream, or an object of which some members come later: both can be sent only once. */
export function holdsStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isStream(value) || Object.values(value).some(isStream);
}

function isStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { getReader, pipe, then } = value as Record<string, unknown>;
  return (
    typeof then === 'function' ||
    typeof getReader === 'function' ||
    typeof pipe === 'function' ||
    Symbol.asyncIterator in value
  );
}

function unavailable(reason: UnavailableReason): Unavailable {
  return { kind: 'unavailable', reason };
}
