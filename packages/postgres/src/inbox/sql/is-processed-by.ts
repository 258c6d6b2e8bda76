import type { Queryable } from '../../database/database.ts';
import type { MessageAddress } from '../message-address.ts';

export async function isProcessedBy(
  database: Queryable,
  { table, id }: MessageAddress,
  token: string,
): Promise<boolean> {
  const rows = await database.query(
    `select 1
       from ${table}
      where id = $1::uuid
        and token = $2::uuid`,
    [id, token],
  );
  return rows.length === 1;
}
