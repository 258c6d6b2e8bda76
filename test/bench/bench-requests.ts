/** The frameworks that the kit is measured in. */
export type Framework = 'yoga' | 'trpc';

export interface BenchRequest {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
}

/** What a payment is made of. */
export const payment = {
  to: 'NL91ABNA0417164300',
  cents: 12_50,
  currency: 'EUR',
  note: 'Lunch on Friday, thank you',
};

const mutation = /* GraphQL */ `
  mutation Pay($payment: PaymentInput!) {
    pay(payment: $payment) {
      id
      to
      cents
      status
    }
  }
`;

const query = /* GraphQL */ `
  query Payment($id: ID!) {
    payment(id: $id) {
      id
      to
      cents
      status
    }
  }
`;

/** One mutation and one query for each framework, the same with the kit and without it. */
export const benchRequests: Record<Framework, Record<'mutation' | 'query', BenchRequest>> = {
  yoga: {
    mutation: graphql({ query: mutation, variables: { payment } }),
    query: graphql({ query, variables: { id: 'payment-1' } }),
  },
  trpc: {
    mutation: { path: '/pay', method: 'POST', body: JSON.stringify(payment) },
    query: { path: `/payment?input=${encodeURIComponent('"payment-1"')}`, method: 'GET' },
  },
};

function graphql(body: object): BenchRequest {
  return { path: '/graphql', method: 'POST', body: JSON.stringify(body) };
}
