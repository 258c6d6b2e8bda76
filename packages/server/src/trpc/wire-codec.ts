import { type AnswerCodec, jsonCodec } from '../answers/answer-codec.ts';
import { type AnsweredError, describeAnswered, replayedError } from './answered-error.ts';
import type { TrpcConfig } from './trpc-config.ts';

/**
 * Stores what goes over the wire: values as the transformer writes them, errors as the formatter
 * shapes them.
 *
 * A value that would be sent differently after it was read back is refused here, and becomes an
 * answer that cannot be replayed: better none than another one.
 */
export function wireCodec(config: TrpcConfig): AnswerCodec {
  const { output } = config.transformer;
  const encode = (value: unknown): Uint8Array => {
    const bytes = jsonCodec.encode(output.serialize(value));
    const again = jsonCodec.encode(output.serialize(decode(bytes)));
    if (Buffer.compare(bytes, again) === 0) return bytes;
    throw new TypeError('The transformer does not restore what it wrote');
  };
  const decode = (bytes: Uint8Array): unknown => output.deserialize(jsonCodec.decode(bytes));
  return {
    encode,
    decode,
    encodeError: (error) => encode(describeAnswered(error, config)),
    decodeError: (bytes) => replayedError(decode(bytes) as AnsweredError),
  };
}
