import { type AnswerCodec, jsonCodec, valueText, valueFromText } from '../answers/answer-codec.ts';
import { holdsStream } from '../answers/answer-format.ts';
import { type AnsweredError, describeAnswered, replayedError } from './answered-error.ts';
import type { TrpcConfig } from './trpc-config.ts';

/** Stores values as the transformer writes them, errors as the formatter shapes them. */
export interface WireCodec extends AnswerCodec {
  /**
   * What the first client gets: the value as later ones will read it. The handler may go on
   * changing what it returned, and tRPC writes it only after it is stored.
   *
   * A value that cannot be replayed is returned as it is.
   */
  snapshot(value: unknown): unknown;
}

/**
 * A value that would be sent differently after it was read back is refused here, and becomes an
 * answer that cannot be replayed: better none than another one.
 */
export function wireCodec(config: TrpcConfig): WireCodec {
  const { output } = config.transformer;
  // Stored right after it was written, nearly always. Otherwise it is written again.
  let last: { readonly copy: unknown; readonly text: string } | undefined;
  const write = (value: unknown): string => valueText(output.serialize(value));
  const decode = (bytes: Uint8Array): unknown => output.deserialize(jsonCodec.decode(bytes));
  const writeChecked = (value: unknown) => {
    const wire: unknown = output.serialize(value);
    const text = valueText(wire);
    const parsed = valueFromText(text);
    const copy: unknown = output.deserialize(parsed);
    // A transformer that changes nothing: JSON that was read is written as it was.
    if (wire === value && copy === parsed && output.serialize(copy) === copy) {
      return { text, copy };
    }
    if (text === write(copy)) return { text, copy };
    throw new TypeError('The transformer does not restore what it wrote');
  };
  const encode = (value: unknown): string =>
    last && last.copy === value ? last.text : writeChecked(value).text;
  return {
    encode,
    decode,
    snapshot(value) {
      if (typeof value !== 'object' || value === null || holdsStream(value)) return value;
      try {
        last = writeChecked(value);
        return last.copy;
      } catch {
        return value;
      }
    },
    encodeError: (error) => encode(describeAnswered(error, config)),
    decodeError: (bytes) => replayedError(decode(bytes) as AnsweredError),
  };
}
