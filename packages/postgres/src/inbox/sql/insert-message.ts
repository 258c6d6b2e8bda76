import type { Queryable } from '../../database/database.ts';
import { clock } from '../../sql/clock.ts';
import { isOwnTransaction } from '../../sql/lock.ts';
import type { MessageAddress, MessageName } from '../message-address.ts';

export interface ProcessedMessage extends MessageName {
  readonly token: string;
  /** As JSON. */
  readonly answer: string | undefined;
}

/** Remembers a message, if no other delivery has and the transaction is the one that was begun. */
export async function insertMessage(
  transaction: Queryable,
  { table, id }: MessageAddress,
  { source, messageId, token, answer }: ProcessedMessage,
): Promise<'inserted' | 'not-inserted'> {
  const rows = await transaction.query(
    `insert into ${table} (id, token, processed_at, source, message_id, answer)
     select $1::uuid, $2::uuid, ${clock}, $3::text, $4::text, $5::text
      where ${isOwnTransaction('$6')}
         on conflict (id) do nothing
  returning 1`,
    [id, token, source, messageId, answer ?? null, token],
  );
  return rows.length === 1 ? 'inserted' : 'not-inserted';
}
