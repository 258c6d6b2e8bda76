import { deliveryErrorOf, journalEntry } from '@onceward/client/trpc';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from './payments.ts';

/** Pays an order once, however often it is clicked, before and after a reload. */
export function PayButton() {
  const [order, setOrder] = useState(1);
  const payment = useMutation({
    mutationFn: () =>
      client.pay.mutate(
        { to: 'Ada', amountCents: 1200 },
        // While it has not settled, paying the same order again joins it.
        journalEntry({ intent: `pay order ${order}`, meta: { title: `€12.00 to Ada` } }),
      ),
    onSuccess: () => setOrder(order + 1),
  });

  return (
    <>
      <button onClick={() => payment.mutate()}>Pay €12.00 to Ada</button>
      <p role="status">
        {payment.isSuccess && 'Paid.'}
        {payment.isError &&
          (deliveryErrorOf(payment.error)
            ? 'Nobody knows yet whether it was paid.'
            : `Refused: ${payment.error.message}`)}
      </p>
    </>
  );
}
