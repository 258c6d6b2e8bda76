import { useQuery } from '@apollo/client/react';
import { usePendingMutations } from '@onceward/client/react';
import { journal, PAYMENTS } from './payments.ts';

/** What the server has made, and what is still on the device. */
export function PaymentList() {
  const { data } = useQuery(PAYMENTS);
  const pending = usePendingMutations(journal);
  return (
    <>
      <p>Payments made: {data?.payments.length ?? '…'}</p>
      <p>Waiting: {pending.length}</p>
    </>
  );
}
