import { deliveryErrorOf } from '@onceward/client/trpc';
import { mintKey } from '@onceward/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Payments } from './payments.ts';

/** Pays once, however often it is clicked; the next payment begins with "New payment". */
export function PayButton({ trpc }: Pick<Payments, 'trpc'>) {
  const queryClient = useQueryClient();
  const [intentKey, setIntentKey] = useState(mintKey);
  const payment = useMutation(
    trpc.pay.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.paymentCount.queryFilter()),
      onError: (error) => {
        // The server said no: whoever tries again wants something new. A payment that was given up
        // may have been made, so it keeps its key.
        if (!deliveryErrorOf(error)) setIntentKey(mintKey());
      },
    }),
  );

  return (
    <>
      {/* Not disabled while it pays: a second click is a second delivery of the same intent. */}
      <button onClick={() => payment.mutate({ intentKey, to: 'Ada', amountCents: 1200 })}>
        Pay €12.00 to Ada
      </button>
      <p role="status">
        {payment.isPending && 'Paying…'}
        {payment.isSuccess && 'Paid.'}
        {payment.isError &&
          (deliveryErrorOf(payment.error)
            ? 'No answer. It may have been paid: click again to find out.'
            : `Refused: ${payment.error.message}`)}
      </p>
      {payment.isSuccess && (
        <button
          onClick={() => {
            setIntentKey(mintKey());
            payment.reset();
          }}
        >
          New payment
        </button>
      )}
    </>
  );
}
