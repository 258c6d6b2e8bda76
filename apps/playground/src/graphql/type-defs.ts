/** The shop in GraphQL: the same mutations as over tRPC, each marked with its effect. */
export const typeDefs = /* GraphQL */ `
  type Mutation {
    "Writes a payment in the transaction that completes the key."
    pay(input: PayInput!): Payment! @idempotent(effect: ATOMIC)
    "Reserves a seat, charges a card and confirms, at three systems."
    book(input: BookInput!): Booking! @idempotent(effect: STEPS)
    "Hands a message to a gateway that knows no keys."
    notify(input: NotifyInput!): Notification! @idempotent(effect: EXTERNAL)
    "Sets a name, which may be done twice."
    rename(input: RenameInput!): Profile! @idempotent(effect: NATURAL)
  }

  type Query {
    "How often each of your mutations has taken effect."
    effects: Effects!
    "Your payments, newest first."
    payments: [Payment!]!
  }

  input PayInput {
    to: String!
    amountCents: Int!
    note: String
  }

  input BookInput {
    trip: String!
    amountCents: Int!
  }

  input NotifyInput {
    to: String!
    text: String!
  }

  input RenameInput {
    name: String!
  }

  type Payment {
    paymentId: ID!
    to: String!
    amountCents: Int!
    note: String
    paidAt: DateTime!
  }

  type Booking {
    bookingId: ID!
    trip: String!
    amountCents: Int!
  }

  type Notification {
    messageId: ID!
    sentAt: DateTime!
  }

  type Profile {
    name: String!
  }

  type Effects {
    pay: Int!
    book: Int!
    notify: Int!
    rename: Int!
  }

  "An instant, such as 2026-01-31T12:00:00.000Z."
  scalar DateTime
`;
