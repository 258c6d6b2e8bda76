import * as z from 'zod';
import { person, text } from './inputs.ts';
import type { Intent } from './intent.ts';
import { onlyRow, type Queryable } from './queryable.ts';

export const Message = z.object({ to: person, text: text.min(1).max(1_000) });

export interface Sent {
  readonly messageId: string;
  readonly sentAt: Date;
}

/** `external`: the mail gateway takes no keys. Whatever it is given, it sends. */
export async function notify(
  gateway: Queryable,
  { user, key, midway }: Intent,
  { to, text }: z.output<typeof Message>,
): Promise<Sent> {
  const sent = await gateway.query<Sent>(
    `with counted as (
       insert into ledger (user_name, mutation, key) values ($1::text, 'notify', $2::text)
     )
     insert into messages (sender, recipient, text) values ($1::text, $3::text, $4::text)
     returning id as "messageId", sent_at as "sentAt"`,
    [user, key, to, text],
  );
  await midway();
  return onlyRow(sent);
}
