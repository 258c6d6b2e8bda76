import { formatKeyHeader, mintKey } from '@onceward/core';
import { renderGraphiQL } from 'graphql-yoga';

/**
 * GraphiQL, signed in and with a new key. Yoga's page loads it from a CDN: without a network, the
 * browser goes on to a page of ours that needs none.
 */
export function graphiqlPage(): Response {
  const headers = { authorization: 'Bearer alice', 'idempotency-key': formatKeyHeader(mintKey()) };
  const page = renderGraphiQL({
    title: 'onceward playground',
    headers: JSON.stringify(headers, null, 2),
    defaultQuery,
  });
  return new Response(`${page}${elsewhereWithoutNetwork}`, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
}

const defaultQuery = `# Send it twice: the second time, nothing is executed. The key is below, under Headers.
# Another payment needs another key: open this page again.
mutation Pay {
  pay(input: { to: "bob", amountCents: 1200 }) {
    paymentId
    paidAt
  }
}

query Effects {
  effects {
    pay
  }
}
`;

const elsewhereWithoutNetwork = `<script>
if (typeof YogaGraphiQL === 'undefined') location.replace('/graphql.html');
</script>
`;
