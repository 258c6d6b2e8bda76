import * as z from 'zod';
import { person } from './inputs.ts';
import type { Intent } from './intent.ts';
import type { Queryable } from './queryable.ts';

export const Name = z.object({ name: person });

/** `natural`: setting a name twice is setting it once. The ledger counts each time all the same. */
export async function rename(
  directory: Queryable,
  { user, key, midway }: Intent,
  { name }: z.output<typeof Name>,
): Promise<{ name: string }> {
  await directory.query(
    `with counted as (
       insert into ledger (user_name, mutation, key) values ($1::text, 'rename', $2::text)
     )
     insert into profiles (user_name, name) values ($1::text, $3::text)
         on conflict (user_name) do update set name = excluded.name`,
    [user, key, name],
  );
  await midway();
  return { name };
}
