import { parseKey, keyTimestamp } from '@onceward/core';
import type { RecordState, Store } from '@onceward/core/store';
import * as z from 'zod';
import type { Queryable } from '../shop/queryable.ts';

/** What the page wants to hear about: a few of its keys, and of its requests. */
export const Watched = z.object({
  keys: z.array(z.uuid()).max(20),
  sightings: z.array(z.uuid()).max(100),
});

/** The truth, as somebody sees it who looks over the server's shoulder. */
export interface View {
  readonly ledger: readonly LedgerLine[];
  readonly records: readonly { readonly key: string; readonly state: RecordState }[];
  readonly sightings: readonly Seen[];
}

export interface LedgerLine {
  readonly line: number;
  readonly mutation: string;
  /** The key of the intent, or the order, without onceward. */
  readonly key: string;
  readonly happenedAt: Date;
}

export interface Seen {
  readonly id: string;
  readonly executing: boolean;
  /** `null` while there is no answer. */
  readonly status: number | null;
  readonly replayed: boolean;
  /** Whether the process that it arrived at still runs. */
  readonly alive: boolean;
}

export interface Watchable {
  readonly store: Pick<Store, 'find'>;
  readonly database: Queryable;
  /** Names this process. */
  readonly server: string;
}

/** Tells what the server knows about a user, without waiting for anything. */
export async function watch(
  { store, database, server }: Watchable,
  user: string,
  { keys, sightings }: z.output<typeof Watched>,
): Promise<View> {
  const [ledger, seen, records] = await Promise.all([
    database.query<LedgerLine>(
      `select id::int as line, mutation, key, happened_at as "happenedAt"
         from (select * from ledger where user_name = $1::text order by id desc limit 50) as latest
        order by id`,
      [user],
    ),
    database.query<Seen>(
      `select id, executing, status, replayed, server = $3::text as alive
         from sightings
        where user_name = $1::text
          and id = any($2::uuid[])`,
      [user, sightings, server],
    ),
    Promise.all(keys.map((key) => recordOf(store, user, key))),
  ]);
  return { ledger: ledger.rows, sightings: seen.rows, records: records.flat() };
}

async function recordOf(
  store: Watchable['store'],
  scope: string,
  text: string,
): Promise<View['records']> {
  const parsed = parseKey(text);
  if (parsed.kind !== 'key') return [];
  const { key } = parsed;
  const found = await store.find({ scope, key, keyTimestampMs: keyTimestamp(key) });
  return found ? [{ key, state: found.state }] : [];
}
