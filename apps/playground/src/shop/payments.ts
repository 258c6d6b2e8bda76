import type { Queryable } from './queryable.ts';

export interface PastPayment {
  readonly paymentId: string;
  readonly to: string;
  readonly amountCents: number;
  readonly note: string | null;
  readonly paidAt: Date;
}

/** The payments of a user, newest first. */
export async function payments(database: Queryable, user: string): Promise<PastPayment[]> {
  const { rows } = await database.query<PastPayment>(
    `select id           as "paymentId",
            recipient    as "to",
            amount_cents as "amountCents",
            note,
            paid_at      as "paidAt"
       from payments
      where payer = $1::text
      order by paid_at desc, id desc`,
    [user],
  );
  return rows;
}
