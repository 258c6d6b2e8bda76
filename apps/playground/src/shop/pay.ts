import * as z from 'zod';
import { amountCents, person, text } from './inputs.ts';
import type { Intent } from './intent.ts';
import { onlyRow, type Queryable } from './queryable.ts';

export const Payment = z.object({
  to: person,
  amountCents,
  note: text.max(500).nullish(),
});

export interface PaymentReceipt {
  readonly paymentId: string;
  readonly amountCents: number;
  readonly paidAt: Date;
}

/**
 * `atomic`: the payment and its line in the ledger are written in the transaction that completes
 * the key. All of it happens, or nothing.
 */
export async function pay(
  tx: Queryable,
  { user, key, midway }: Intent,
  { to, amountCents, note }: z.output<typeof Payment>,
): Promise<PaymentReceipt> {
  const paid = await tx.query<PaymentReceipt>(
    `with counted as (
       insert into ledger (user_name, mutation, key) values ($1::text, 'pay', $2::text)
     )
     insert into payments (payer, recipient, amount_cents, note)
     values ($1::text, $3::text, $4::int, $5::text)
     returning id as "paymentId", amount_cents as "amountCents", paid_at as "paidAt"`,
    [user, key, to, amountCents, note ?? null],
  );
  await midway();
  return onlyRow(paid);
}
