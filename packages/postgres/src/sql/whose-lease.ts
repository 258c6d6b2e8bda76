import type { FencingToken } from '@onceward/core/store';
import type { RecordAddress } from '../record-address.ts';

/** Says which of many leases a row is about: the record's id, and the token. */
export const whoseLease = {
  selected: `id::text || encode(uuid_send(token), 'hex') as lease`,

  /** As {@link whoseLease.selected} writes it. */
  of({ id }: RecordAddress, token: FencingToken): string {
    return id + token;
  },

  readAll(rows: readonly unknown[]): ReadonlySet<string> {
    return new Set(rows.map((row) => (row as { lease: string }).lease));
  },
};
