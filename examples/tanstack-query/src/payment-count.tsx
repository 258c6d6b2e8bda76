import { useQuery } from '@tanstack/react-query';
import type { Payments } from './payments.ts';

/** How many payments the server has made. */
export function PaymentCount({ trpc }: Pick<Payments, 'trpc'>) {
  const { data } = useQuery(trpc.paymentCount.queryOptions());
  return <p>Payments made: {data ?? '…'}</p>;
}
