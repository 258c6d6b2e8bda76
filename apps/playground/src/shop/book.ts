import type { Step } from '@onceward/server';
import * as z from 'zod';
import { amountCents, text } from './inputs.ts';
import type { Intent } from './intent.ts';
import type { Queryable } from './queryable.ts';

export const Trip = z.object({ trip: text.trim().min(1).max(100), amountCents });

export interface Booking {
  readonly bookingId: string;
  readonly trip: string;
  readonly amountCents: number;
}

/**
 * `steps`: a seat, a charge and a confirmation, at three systems that know nothing of each other.
 * A step that finished is not run again; one that was cut off is, with the same key, so that the
 * system behind it recognises it.
 */
export async function book(
  { outside, step }: { outside: Queryable; step: Step },
  intent: Intent,
  input: z.output<typeof Trip>,
): Promise<Booking> {
  const bookingId = await step('reserve', async ({ downstreamKey }) => {
    await reserveSeat(outside, downstreamKey, { ...intent, ...input });
    return downstreamKey;
  });
  await step('charge', ({ downstreamKey }) =>
    charge(outside, downstreamKey, { ...intent, ...input }),
  );
  await intent.midway();
  await step('confirm', () => confirm(outside, bookingId));
  return { bookingId, ...input };
}

async function reserveSeat(
  railway: Queryable,
  bookingId: string,
  { user, trip }: { user: string; trip: string },
): Promise<void> {
  await railway.query(
    `insert into bookings (key, passenger, trip) values ($1::uuid, $2::text, $3::text)
         on conflict (key) do nothing`,
    [bookingId, user, trip],
  );
}

/** As card processors do: the same key charges once. What really was charged is in the ledger. */
async function charge(
  processor: Queryable,
  chargeKey: string,
  { user, key, amountCents }: { user: string; key: string; amountCents: number },
): Promise<void> {
  await processor.query(
    `with charged as (
       insert into charges (key, payer, amount_cents) values ($1::uuid, $2::text, $3::int)
           on conflict (key) do nothing
       returning payer
     )
     insert into ledger (user_name, mutation, key)
     select payer, 'book', $4::text from charged`,
    [chargeKey, user, amountCents, key],
  );
}

async function confirm(railway: Queryable, bookingId: string): Promise<void> {
  await railway.query(`update bookings set confirmed = true where key = $1::uuid`, [bookingId]);
}
