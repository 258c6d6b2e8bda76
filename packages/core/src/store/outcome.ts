/** What a store keeps of a finished execution, and what a replay is made from. */
export type Outcome<Answer = Uint8Array> =
  | {
      /** `failure` is an answer too: a declared business error is stored and given again. */
      readonly kind: 'success' | 'failure';
      /** Opaque to the store: any bytes, also none. They come back as they went in, a text as its UTF-8. */
      readonly answer: Answer;
    }
  | {
      /** The mutation took effect, but there is no answer to give again. */
      readonly kind: 'unavailable';
      readonly reason: UnavailableReason;
    };

/** Why a mutation that took effect has no answer to replay. */
export type UnavailableReason =
  /** The answer was larger than the limit. */
  | 'too-large'
  /** The answer could not be turned into bytes. */
  | 'not-serialisable'
  /** The answer was a stream. */
  | 'streamed'
  /** The answer was kept for its retention and then dropped; the key is remembered longer. */
  | 'expired'
  /** The stored bytes cannot be read by this version, or with these encryption keys. */
  | 'undecodable'
  /** Its outcome was unknown, and evidence says that it took effect, but not with which answer. */
  | 'settled';
