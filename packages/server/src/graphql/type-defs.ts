/**
 * What a schema declares to mark its mutations. One directive serves both sides: in the schema it
 * says what a mutation touches, in an operation it may carry the key.
 *
 * @example
 * ```ts
 * createSchema({ typeDefs: [idempotentTypeDefs, typeDefs], resolvers });
 * // type Mutation { pay(input: PayInput!): Payment! @idempotent(effect: ATOMIC) }
 * // mutation Pay($key: String!) { pay(input: { cents: 100 }) @idempotent(key: $key) { id } }
 * ```
 */
export const idempotentTypeDefs = /* GraphQL */ `
  "Runs a mutation once per key, and answers every later delivery with the first answer."
  directive @idempotent(
    "In the schema: whether the mutation is refused without a key."
    required: Boolean! = true
    "In the schema: what the mutation touches. Everything else follows from it."
    effect: IdempotencyEffect
    "In the schema: for how many seconds the answer is replayed."
    retention: Int
    "In an operation: the key of the intent, the same on every retry."
    key: String
  ) on FIELD_DEFINITION | FIELD

  "What a mutation touches."
  enum IdempotencyEffect {
    "Writes only through the transaction it is handed: key and effect commit together."
    ATOMIC
    "Runs named steps; finished ones are not run again."
    STEPS
    "Calls something outside, inline. After a crash nobody knows whether it happened."
    EXTERNAL
    "Is safe to repeat by itself."
    NATURAL
  }
`;
