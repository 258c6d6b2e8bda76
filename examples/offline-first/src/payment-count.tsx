import { useQuery } from '@tanstack/react-query';
import { client } from './payments.ts';

/** How many payments the server has made. */
export function PaymentCount() {
  const { data } = useQuery({
    queryKey: ['payment count'],
    queryFn: () => client.paymentCount.query(),
  });
  return <p>Payments made: {data ?? '…'}</p>;
}
