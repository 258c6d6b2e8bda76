import { useMutation } from '@apollo/client/react';
import { deliveryErrorOf } from '@onceward/client/apollo';
import { useState } from 'react';
import { PAY } from './payments.ts';

/** Pays an order once, however often it is clicked, before and after a reload. */
export function PayButton() {
  const [order, setOrder] = useState(1);
  const [pay, { data, error }] = useMutation(PAY, {
    variables: { cents: 1200 },
    // While it has not settled, paying the same order again joins it.
    context: { journal: { intent: `pay order ${order}`, meta: { title: '€12.00' } } },
    onCompleted: () => setOrder(order + 1),
  });

  return (
    <>
      <button onClick={() => void pay().catch(() => undefined)}>Pay €12.00</button>
      <p role="status">
        {data && 'Paid.'}
        {error &&
          (deliveryErrorOf(error)
            ? 'Nobody knows yet whether it was paid.'
            : `Refused: ${error.message}`)}
      </p>
    </>
  );
}
